"""Parts that all pages of the admin share."""
