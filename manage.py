#!/usr/bin/env python
import os
import sys

from django.core.management import execute_from_command_line
from django.db import OperationalError, ProgrammingError


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "beanpost.settings")
    try:
        execute_from_command_line(sys.argv)
    except (OperationalError, ProgrammingError) as fault:  # it is away, or its tables are not there yet
        if "--traceback" in sys.argv:
            raise
        sys.exit(f"The database cannot be used: {fault}\nIs DATABASE_URL right, and has manage.py migrate been run?")


if __name__ == "__main__":
    main()
