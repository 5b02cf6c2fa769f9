"""Prove that the previous release runs on today's schema: python -m proof.previous [TAG OR COMMIT]

A rolling upgrade has both versions at work, and a rollback starts the old one on the new tables. So today's code
migrates an empty database, the previous release plays whole matches on it, and both of them check every line. Without
an argument it takes the latest tag; before the first release there is nothing to prove.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
MATCHES = 6
PLAY = f"""
import django
django.setup()
from tests.play.season import Season
season = Season(matches={MATCHES}, players=12, days=90)
season.run()
assert not season.faults, season.faults
assert not season.unfinished(), season.unfinished()
print(season.seen["moves"], "moves,", season.seen["letters"], "letters")
"""


def main() -> None:
    ref = sys.argv[1] if sys.argv[1:] else latest_tag()
    if not ref:
        print("There is no release yet, so no older version has to run on today's schema.")
        return
    with tempfile.TemporaryDirectory() as place:
        old = Path(place) / "previous"
        unpack(ref, old)
        env = os.environ | {
            "DATABASE_URL": os.environ.get("DATABASE_URL") or f"sqlite:///{place}/beanpost.sqlite3",
            "DJANGO_SETTINGS_MODULE": "beanpost.settings",
            "SECRET_KEY": "proof",
            "SITE_URL": "http://testserver",
            "EMAIL_URL": "dummymail://",
            "LOG_LEVEL": "ERROR",
            "BEANPOST_VAR": place,
        }
        run(ROOT, env, "manage.py", "migrate", "--verbosity=0")
        print(f"{ref} on today's schema:", run(old, env, "-c", PLAY))
        for what, folder in ((ref, old), ("today's code", ROOT)):
            told = run(folder, env, "manage.py", "audit")
            print(f"Checked by {what}: {told}")
            if not told.endswith(" 0 differ"):
                sys.exit("The previous release does not run on today's schema.")


def latest_tag() -> str:
    tags = subprocess.run(
        ["git", "tag", "--list", "v*", "--sort=-version:refname"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return next(iter(tags.stdout.split()), "")


def unpack(ref: str, folder: Path) -> None:
    folder.mkdir()
    archive = subprocess.run(["git", "archive", ref], cwd=ROOT, capture_output=True, check=True).stdout
    subprocess.run(["tar", "--extract", "--directory", folder], input=archive, check=True)


def run(folder: Path, env: dict[str, str], *words: str) -> str:
    done = subprocess.run([sys.executable, *words], cwd=folder, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(words[:2])[:60]} failed in {folder.name}:\n{done.stderr[-3000:]}")
    return done.stdout.strip()


if __name__ == "__main__":
    main()
