"""A web server that answers a byte a second and never ends: python -m tools.proof.dribble PORT FOLDER

It speaks TLS with a certificate of its own, FOLDER/dribble.pem, and appends a line to FOLDER/dribbled for each call.
"""

import ssl
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer

CERTIFICATE = (
    "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost "
    "-keyout dribble.key -out dribble.pem"
)


class Dribbler(StreamRequestHandler):
    folder: Path
    tls: ssl.SSLContext

    def handle(self) -> None:
        with suppress(OSError), self.tls.wrap_socket(self.request, server_side=True) as caller:
            caller.recv(1000)
            with (self.folder / "dribbled").open("a") as calls:
                calls.write("a call\n")
            while True:
                caller.send(b"H")
                time.sleep(1)


def main(port: int, folder: Path) -> None:
    subprocess.run(CERTIFICATE.split(), cwd=folder, check=True, capture_output=True)
    Dribbler.folder, Dribbler.tls = folder, ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    Dribbler.tls.load_cert_chain(folder / "dribble.pem", folder / "dribble.key")
    ThreadingTCPServer.daemon_threads = True
    with ThreadingTCPServer(("127.0.0.1", port), Dribbler) as server:
        server.serve_forever()


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
