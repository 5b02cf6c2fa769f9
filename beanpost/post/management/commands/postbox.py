"""manage.py postbox: receive replies over LMTP or SMTP."""

import signal
import sys
from argparse import ArgumentParser
from contextlib import suppress
from threading import Event
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from beanpost.play import clock
from beanpost.post.outbox.wake_up import WakeUp
from beanpost.post.receive import mail_server


class Command(BaseCommand):
    help = "Receive replies to letters over LMTP or SMTP, on the addresses in POSTBOX."

    def add_arguments(self, parser: ArgumentParser) -> None:
        told = "print a line for each wake-up, and stop when the standard input ends"
        parser.add_argument("--for-serve", action="store_true", help=told)

    def handle(self, *args: Any, **options: Any) -> None:
        for stop in (signal.SIGINT, signal.SIGTERM):
            signal.signal(stop, signal.default_int_handler)
        if not settings.INBOUND_DOMAIN or not settings.POSTBOX:
            raise CommandError("The postbox needs INBOUND_DOMAIN, where replies go, and POSTBOX, where it listens.")
        with suppress(KeyboardInterrupt):
            self.listen(for_serve=options["for_serve"])
        if not options["for_serve"]:
            self.stdout.write("The postbox is closed.")

    def listen(self, *, for_serve: bool) -> None:
        WakeUp.pipe = sys.stdout if for_serve else None
        try:
            with mail_server.open_listeners(settings.POSTBOX, clock.now):
                self.stdout.write(f"The postbox for {settings.INBOUND_DOMAIN} is open: {', '.join(settings.POSTBOX)}")
                if for_serve:
                    self.stdout.flush()
                    sys.stdin.read()
                    return
                self.stdout.write("Press Ctrl-C to stop.")
                self.stdout.flush()
                Event().wait()
        except mail_server.BadSocket as fault:
            raise CommandError(str(fault)) from None
        except OSError as fault:
            raise CommandError(f"The postbox cannot listen there: {fault.strerror}.") from None
