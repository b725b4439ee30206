"""What each operator does to marks, doubts and phantoms."""
