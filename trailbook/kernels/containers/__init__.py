"""Runs cells in containers that Podman or Docker makes."""
