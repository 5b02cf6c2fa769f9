"""Outgoing webhooks: tell a club's chat the public news of its league."""
