"""Which event queues which letter, and when."""
