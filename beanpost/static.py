"""Stylesheets and pictures: under hashed names once `collectstatic` has run, under their own names before."""

from pathlib import Path

from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage


class Names(CompressedManifestStaticFilesStorage):
    def stored_name(self, name: str) -> str:
        return super().stored_name(name) if self.hashed_files else name


class Shelf(WhiteNoiseMiddleware):
    def add_files(self, root: str | Path, prefix: str | None = None) -> None:
        if Path(root).is_dir():  # WhiteNoise would warn of a folder that nobody has collected yet.
            super().add_files(root, prefix)  # type: ignore[no-untyped-call]
