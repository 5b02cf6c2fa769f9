"""Who is waited for, and until when."""
