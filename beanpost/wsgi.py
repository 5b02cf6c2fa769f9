import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "beanpost.settings")
os.environ["BEANPOST_WEB"] = "yes"  # the settings limit how long a statement of a web process may take

application = get_wsgi_application()
