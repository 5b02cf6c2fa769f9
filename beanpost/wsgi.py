import os

from django.core.wsgi import get_wsgi_application

from beanpost.middleware import check_content_type
from beanpost.monitoring import uptime

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "beanpost.settings")
os.environ["BEANPOST_WEB"] = "yes"  # settings.py sets a statement timeout for web processes

application = check_content_type(get_wsgi_application())
uptime.note_start()
