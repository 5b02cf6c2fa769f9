"""Replies in."""
