"""Settings for gunicorn: a few processes, each with a few threads for slow connections."""

import os

bind = os.environ.get("GUNICORN_BIND") or "unix:/run/beanpost/web.sock"
workers = int(os.environ.get("GUNICORN_WORKERS") or 2)
worker_class = "gthread"
threads = 4
preload_app = True  # report an error in the settings once, before listening
control_socket_disable = True
accesslog = None  # beanpost/middleware.py logs requests itself, without tickets
timeout = 60
graceful_timeout = 20
