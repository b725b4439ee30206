"""What runs inside a Python cell's own process.

Imports the standard library only, until the cell needs more: a trivial cell must not pay for pandas. All it says goes
to the host as JSON lines over one socket; see `trailbook.kernels.python` for the other end.
"""
