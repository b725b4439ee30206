"""What becomes of a dataset in a workbook of Excel."""
