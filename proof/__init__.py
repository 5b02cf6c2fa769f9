"""A whole house on one machine, put under load and into trouble: `make stage`, `make load`, `make chaos`."""
