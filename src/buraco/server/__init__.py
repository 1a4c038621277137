"""The table server: matches for people and bots over HTTP and WebSocket."""
