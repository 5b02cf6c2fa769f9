"""Standings, ratings and exports, computed from a season's rows."""
