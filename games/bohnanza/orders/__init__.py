"""Standing orders for Bohnanza: their kinds, spots to plant in, and suggestions."""
