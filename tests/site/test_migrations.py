"""Which databases `migrate` takes; and the check that keeps rolling upgrades possible."""

import time
from threading import Thread

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, migrations, models
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ModelState, ProjectState

from beanpost.management.commands import migrate
from tools import migrations as checking


def faults(*operations):
    bean = ModelState(
        "farm", "Bean", [("id", models.AutoField(primary_key=True)), ("colour", models.TextField(null=True))]
    )
    before = ProjectState({("farm", "bean"): bean})
    return list(checking.find_faults(operations, "farm", before))


@pytest.mark.skipif(not checking.is_released(), reason="There is no release yet that could run on today's schema.")
def test_the_previous_release_can_run_on_todays_schema():
    assert checking.check_migrations(set(checking.RELEASED.read_text().split())) == []


@pytest.mark.parametrize(
    ("operation", "why"),
    [
        (migrations.RemoveField("Bean", "colour"), "still uses it"),
        (migrations.DeleteModel("Bean"), "still uses it"),
        (migrations.RenameField("Bean", "colour", "hue"), "knows the old name"),
        (migrations.RenameModel("Bean", "Pea"), "knows the old name"),
        (migrations.AlterModelTable("Bean", "peas"), "knows the old name"),
        (migrations.AddField("Bean", "price", models.IntegerField()), "inserts rows without it"),
        (migrations.AddField("Bean", "price", models.IntegerField(default=0)), "inserts rows without it"),
        (migrations.AlterField("Bean", "colour", models.TextField(default="")), "leaves it empty"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_a_migration_that_breaks_the_previous_release_is_refused(operation, why):
    [fault] = faults(operation)
    assert why in fault


@pytest.mark.parametrize(
    "operations",
    [
        [migrations.AddField("Bean", "price", models.IntegerField(null=True))],
        [migrations.AddField("Bean", "price", models.IntegerField(db_default=0))],
        [migrations.AddIndex("Bean", models.Index(fields=["colour"], name="by_colour"))],
        [migrations.AlterField("Bean", "colour", models.TextField(null=True, blank=True))],
        [
            migrations.CreateModel("Pea", [("id", models.AutoField(primary_key=True))]),
            migrations.AddField("Pea", "price", models.IntegerField()),
        ],
    ],
    ids=["may be empty", "default in the schema", "index", "still empty", "new table"],
)
def test_a_migration_that_only_adds_is_accepted(operations):
    assert faults(*operations) == []


def test_the_check_begins_with_the_first_release(monkeypatch, tmp_path):
    monkeypatch.setattr(checking, "CHANGELOG", tmp_path / "CHANGELOG.md")
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## [0.1.0] - Unreleased\n")
    assert not checking.is_released()
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## [0.2.0] - Unreleased\n\n## [0.1.0] - 2026-12-01\n")
    assert checking.is_released()


def test_a_change_of_the_database_alone_is_checked_too():
    removal = migrations.SeparateDatabaseAndState(database_operations=[migrations.RemoveField("Bean", "colour")])
    assert len(faults(removal)) == 1
    forgotten = migrations.SeparateDatabaseAndState(state_operations=[migrations.RemoveField("Bean", "colour")])
    assert faults(forgotten) == []


def test_a_migration_may_explain_itself_as_the_second_step(monkeypatch):
    name = "play.0002_triggers"
    monkeypatch.setattr(checking, "find_faults", lambda *_: iter(["Remove field x"]))
    others = set(checking.list_own_migrations()) - {name}
    assert len(checking.check_migrations(others)) == 1
    migration, _before = checking.list_own_migrations()[name]
    monkeypatch.setitem(vars(__import__("sys").modules[migration.__module__]), "SECOND_STEP", "0.2.0 forgot it.")
    assert checking.check_migrations(others) == []


def list_applied():
    return list(MigrationRecorder(connection).migration_qs.order_by("app", "name").values_list("app", "name"))


@pytest.mark.django_db
def test_a_database_that_began_with_other_migrations_is_refused():
    MigrationRecorder(connection).migration_qs.filter(app="play", name__startswith="0001").update(name="0001_initial")
    before = list_applied()
    with pytest.raises(CommandError, match=r"unreleased version of Beanpost: .+\. Start with a new one\."):
        call_command("migrate")
    assert list_applied() == before


@pytest.mark.django_db
def test_a_database_of_a_newer_release_is_accepted_for_a_rollback():
    MigrationRecorder(connection).record_applied("play", "0003_of_tomorrow")
    call_command("migrate", verbosity=0)
    assert ("play", "0003_of_tomorrow") in list_applied()


def test_remaking_the_migrations_ends_with_the_first_release(monkeypatch):
    monkeypatch.setattr(checking, "is_released", lambda: True)
    with pytest.raises(SystemExit, match="Released migrations stay"):
        checking.remake()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_migrating_during_a_dump_holds_nobody_up_and_tries_again(monkeypatch):
    """PostgreSQL queues every query on a table behind the one that waits to change it."""
    tries = []

    def change_a_table(*_args, **_options):
        tries.append(time.monotonic())
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE players_player ADD COLUMN bean text")
            cursor.execute("ALTER TABLE players_player DROP COLUMN bean")

    monkeypatch.setattr(migrate.migrate.Command, "handle", change_a_table)
    dump = connection.copy()
    dump.set_autocommit(False)
    with dump.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM players_player")
    upgrade = Thread(target=lambda: (call_command("migrate"), connection.close()))
    upgrade.start()
    try:
        while len(tries) < 2:
            time.sleep(0.1)
    finally:
        dump.rollback()
        dump.close()
    upgrade.join(60)
    assert not upgrade.is_alive()
    assert tries[1] - tries[0] < 3 * migrate.PATIENCE
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM information_schema.columns WHERE column_name = 'bean'")
        assert cursor.fetchone() == (0,)
