"""The HTTP API: FastAPI routes over msgspec structs."""
