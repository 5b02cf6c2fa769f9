"""The least a click could cost, behind the same servers: check a signature, insert a row.

Run `gunicorn tools.proof.bare` in the installation's environment. The cost of a move is compared to this.
"""

import itertools
import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "beanpost.settings")

from django.conf import settings

settings.ROOT_URLCONF = "tools.proof.bare"

from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

application = get_wsgi_application()

from beanpost.play import clock
from beanpost.play.models import Note
from beanpost.play.tickets import MoveTicket, redeem

numbers = itertools.count(1)


@csrf_exempt
def bare(request: HttpRequest, ticket: str) -> HttpResponse:
    good = redeem(MoveTicket, ticket)
    seq = os.getpid() * 100_000 % 2_000_000_000 + next(numbers)  # two processes never write the same row
    Note.objects.create(match_id=good.match, seat=good.seat, seq=seq, text="bare", said_at=clock.now())
    return HttpResponse("Done.")


urlpatterns = [path("move/<str:ticket>/", bare)]
