"""The SQL statements and restore commands of the hosting pages, run on a real PostgreSQL server."""

import os
import re
import subprocess
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.db import OperationalError, connection

from tools import postgres

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

HOSTING = "\n".join(page.read_text() for page in sorted(Path("docs/hosting").glob("*.md")))


def on_server(database, *statements):
    """Run statements on the tests' database server without Django; return the rows of the last one."""
    server = settings.DATABASES["default"]
    where = psycopg.conninfo.make_conninfo(host=server["HOST"], user=server["USER"], password=server["PASSWORD"])
    with psycopg.connect(where, dbname=database, autocommit=True) as line:
        *_, last = [line.execute(statement) for statement in statements]
        return last.fetchall() if last.description else []


def test_a_documented_restore_makes_beanpost_the_owner(tmp_path):
    """The role that creates databases is not Beanpost's own, which could not read tables owned by that role."""
    [words] = re.findall(r"pg_restore (.+) --dbname=restored <", HOSTING)
    role, saved, restored = (f"{name}_{os.getpid()}" for name in ("beanpost", "saved", "restored"))
    server = settings.DATABASES["default"]
    reach = [f"--host={server['HOST']}", f"--username={server['USER']}"]

    def run(program, *words):
        binaries = next(postgres.find_binaries(["binaries", "wheel"]))
        env = os.environ | {"PGPASSWORD": server["PASSWORD"]}
        subprocess.run([binaries / program, *reach, *words], check=True, env=env)

    try:
        on_server("postgres", f"CREATE ROLE {role}", f"CREATE DATABASE {saved} OWNER {role}")
        on_server("postgres", f"CREATE DATABASE {restored} OWNER {role}")
        on_server(saved, f"SET ROLE {role}", "CREATE TABLE beans (bean text)")
        run("pg_dump", "--format=custom", f"--file={tmp_path}/dump", saved)
        run("pg_restore", *words.replace("beanpost", role).split(), f"--dbname={restored}", f"{tmp_path}/dump")
        assert on_server(restored, "SELECT tableowner FROM pg_tables WHERE tablename = 'beans'") == [(role,)]
    finally:
        for name in (saved, restored):
            on_server("postgres", f"DROP DATABASE IF EXISTS {name}")
        on_server("postgres", f"DROP ROLE IF EXISTS {role}")


def test_a_page_query_that_takes_too_long_is_cancelled():
    impatient = connection.copy()
    impatient.settings_dict["OPTIONS"] |= {"options": "-c statement_timeout=1s"}  # in the form the settings use
    try:
        with impatient.cursor() as cursor, pytest.raises(OperationalError, match="statement timeout"):
            cursor.execute("SELECT pg_sleep(30)")
    finally:
        impatient.close()


def test_the_web_role_behind_a_pooler_has_beanposts_rights_and_a_timeout():
    """PgBouncer opens connections per role, so a setting of the role holds in transaction mode too."""
    role, pages = f"beanpost_{os.getpid()}", f"beanpost_{os.getpid()}_web"
    [made] = re.findall(r"'(CREATE ROLE beanpost_web .+)'$", HOSTING, re.MULTILINE)
    [limited] = re.findall(r'"(ALTER ROLE beanpost_web .+)"$', HOSTING, re.MULTILINE)
    statements = [re.sub(r"\bbeanpost\b", role, words.replace("beanpost_web", pages)) for words in (made, limited)]
    name = connection.settings_dict["NAME"]
    try:
        on_server(name, f"CREATE ROLE {role}", *statements, f"CREATE TABLE {role}_beans (bean text)")
        on_server(name, f"ALTER TABLE {role}_beans OWNER TO {role}")
        on_server(name, f"SET ROLE {pages}", f"INSERT INTO {role}_beans VALUES ('wax')")
        shown = on_server(name, f"SELECT setconfig FROM pg_db_role_setting WHERE setrole = '{pages}'::regrole")
        assert shown == [(["statement_timeout=30s"],)]
    finally:
        on_server(name, f"DROP TABLE IF EXISTS {role}_beans", f"DROP ROLE {pages}", f"DROP ROLE {role}")
