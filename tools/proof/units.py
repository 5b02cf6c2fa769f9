"""Read the files in beanpost/deploy/ as systemd and nginx would, with this checkout in place of /srv/beanpost."""

import getpass
import os
import re
import shlex
import sys
from configparser import RawConfigParser
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "beanpost/deploy"
PASS_SOCKET = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ |= {"LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid())}
os.execv(sys.argv[2], sys.argv[2:])
"""


class Repeating(dict[str, Any]):
    """A section in which a name may occur several times, as ExecStart does."""

    def __setitem__(self, name: str, value: Any) -> None:
        if isinstance(value, list) and isinstance(self.get(name), list):
            self[name].extend(value)
        else:
            super().__setitem__(name, value)


def read_commands(unit: str, instance: str = "") -> list[list[str]]:
    """Return the commands of a service; `%i` is its instance, and `%%` is a percent sign."""
    reader = RawConfigParser(strict=False, dict_type=Repeating)
    reader.optionxform = str  # type: ignore[assignment,method-assign]
    reader.read(DEPLOY / "systemd" / f"{unit}.service")
    lines = reader["Service"]["ExecStart"].splitlines()
    return [shlex.split(replace_paths(line.replace("%i", instance).replace("%%", "%"))) for line in lines if line]


def pass_socket(command: list[str], number: int) -> list[str]:
    """Return a command that inherits an open socket of ours, as systemd passes one: see sd_listen_fds(3)."""
    return [sys.executable, "-c", PASS_SOCKET, str(number), *command]


def replace_paths(text: str) -> str:
    return text.replace("/srv/beanpost", str(ROOT))


def build_environment(**ours: str) -> dict[str, str]:
    """Return an environment: the example's, with the given values, and the few variables that any program needs."""
    example = (DEPLOY / "beanpost.env.example").read_text()
    told = dict(line.split("=", 1) for line in example.splitlines() if re.match(r"[A-Z_]+=", line))
    around = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TZ") if name in os.environ}
    return around | told | {"PYTHONUNBUFFERED": "1"} | ours


def write_proxy_config(port: int, servers: list[str], home: Path, address: str = "127.0.0.1") -> Path:
    """Write nginx's configuration, with all its files in `home`: nginx/beanpost.conf on a port, without TLS."""
    conf = replace_paths((DEPLOY / "nginx" / "beanpost.conf").read_text())
    conf = conf.split("server {\n    listen 80;")[0]
    conf = re.sub(r"    (ssl_certificate|listen \[::\]).*\n", "", conf)
    conf = conf.replace("listen 443 ssl;", f"listen {address}:{port};").replace("beans.example", address)
    conf = conf.replace("/var/log/nginx", str(home))
    upstream = "".join(f"server {server};\n" for server in servers)
    conf = conf.replace("server unix:/run/beanpost/web.sock fail_timeout=0;\n", upstream)
    temporary = "".join(
        f"{kind}_temp_path {home}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (home / "site.conf").write_text(conf)
    whole = home / "nginx.conf"
    whole.write_text(
        f"daemon off; user {getpass.getuser()}; worker_processes 1;\n"
        f"pid {home}/nginx.pid; error_log {home}/nginx-error.log emerg;\n"
        f"events {{ worker_connections 512; }}\nhttp {{\n{temporary}include {home}/site.conf;\n}}\n"
    )
    return whole
