import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from beanpost.play.log.export import export_match
from beanpost.play.models import Match


class Command(BaseCommand):
    help = "Write a match as JSON: what a bystander may see, or everything once it has ended."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("match", metavar="ID", help="the code in the match's address, or its number")

    def handle(self, *args: Any, **options: Any) -> None:
        identifier = options["match"]
        match = Match.objects.filter(code=identifier).first()
        if match is None and identifier.isdigit():
            match = Match.objects.filter(pk=identifier).first()
        if match is None or match.started_at is None:
            raise CommandError(f"There is no match “{identifier}” that has begun.")
        self.stdout.write(json.dumps(export_match(match, None), ensure_ascii=False, indent=1))
