"""Values with the faster `__init__` behave like ordinary frozen dataclasses."""

from dataclasses import FrozenInstanceError, dataclass, replace

import pytest

import games
from games.contract.frozen import fast_init, lockless_cached_property


@dataclass(frozen=True, slots=True)
class Bean:
    name: str
    count: int = 1


@dataclass(frozen=True)
class Sack:
    beans: tuple[Bean, ...]
    label: str = "mixed"

    @lockless_cached_property
    def weighed(self) -> list[int]:
        """The total weight."""
        return [sum(bean.count for bean in self.beans)]


fast_init(Bean, Sack)


def test_a_sack_without_slots_has_its_fields_and_defaults():
    assert Sack(()) == Sack(beans=(), label="mixed") != Sack((), "soy")
    assert repr(Sack((), "soy")) == "Sack(beans=(), label='soy')"


def test_a_cached_property_is_computed_once():
    sack = Sack((Bean("soy", 3), Bean("red")))
    assert sack.weighed == [4]
    assert sack.weighed is sack.weighed
    assert sack == Sack((Bean("soy", 3), Bean("red")))


def test_a_bean_has_its_fields_and_defaults():
    assert Bean("soy") == Bean(name="soy", count=1) != Bean("soy", 2)
    assert repr(replace(Bean("soy"), count=3)) == "Bean(name='soy', count=3)"
    assert hash(Bean("soy")) == hash(Bean("soy", 1))


def test_a_field_that_is_missing_or_unknown_is_refused():
    for wrong in ({}, {"name": "soy", "colour": "green"}):
        with pytest.raises(TypeError):
            Bean(**wrong)


@pytest.mark.parametrize("kind", [kind for rules in games.GAMES.values() for kind in rules.remembers])
def test_a_state_stays_frozen(kind):
    with pytest.raises((FrozenInstanceError, TypeError)):
        setattr(object.__new__(kind), kind.__match_args__[0], None)


def test_a_bean_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        Bean("soy").count = 2
    with pytest.raises(FrozenInstanceError):
        Sack(()).label = "soy"
