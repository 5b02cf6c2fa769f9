"""The organisers' office in the Django admin. Every page shows what belongs to one's own leagues, and nothing else."""

from beanpost.leagues.admin import leagues, rounds, tables

__all__ = ["leagues", "rounds", "tables"]
