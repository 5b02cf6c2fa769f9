import os

from django.core.asgi import get_asgi_application

from beanpost.monitoring import uptime

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "beanpost.settings")

application = get_asgi_application()
uptime.note_start()
