"""Exported matches, and how anybody checks them."""
