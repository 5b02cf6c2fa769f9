"""What all pages of the admin share."""
