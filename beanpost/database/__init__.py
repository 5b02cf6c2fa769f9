"""Work with rows: in batches, and by plain SQL where the ORM is too slow."""
