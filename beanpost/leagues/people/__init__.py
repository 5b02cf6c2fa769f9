"""The people of a season: lists, invitations, entries and divisions."""
