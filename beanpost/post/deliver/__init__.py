"""Hand letters to the mail server."""
