"""The pages under gunicorn: processes for the cores, a few threads each for visitors with slow lines."""

import os

bind = os.environ.get("GUNICORN_BIND") or "unix:/run/beanpost/web.sock"
workers = int(os.environ.get("GUNICORN_WORKERS") or 2)
worker_class = "gthread"
threads = 4
preload_app = True  # a fault in the settings is told once, before the door opens
control_socket_disable = True
accesslog = None  # the house notes every visit itself, without tickets (beanpost/middleware.py)
timeout = 60
graceful_timeout = 20
