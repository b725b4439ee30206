"""The REST and WebSocket interface, and the web app's files."""
