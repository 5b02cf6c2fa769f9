"""Seeded chance: a test gets the same secrets, codes and draws in every run. CHANCE=… tries others."""

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

CHANCE = os.environ.get("CHANCE", "beans")


@contextmanager
def seeded(purpose: str) -> Iterator[None]:
    """Seed the system's random numbers, from which `secrets` draws too, and Python's own."""
    chance = random.Random(f"{CHANCE} {purpose}")
    before = random.getstate()
    with pytest.MonkeyPatch.context() as patch:
        for method in ("getrandbits", "randbytes", "random"):
            patch.setattr(random.SystemRandom, method, getattr(chance, method))
        random.seed(f"{CHANCE} {purpose}")
        yield
    random.setstate(before)
