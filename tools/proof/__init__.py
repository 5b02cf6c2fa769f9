"""A whole installation on one machine, under load and with faults: `make stage`, `make load`, `make chaos`."""
