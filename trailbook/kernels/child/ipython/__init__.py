"""What cells written for IPython expect to find."""
