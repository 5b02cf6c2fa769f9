"""A mail server that delivers to a file, with or without faults: python -m tools.proof.sink PORT FOLDER [ADDRESS]

It appends accepted letters to FOLDER/letters, each after a line with its length. FOLDER/mood holds its behaviour: well,
refusing (for now), forbidding (for good), slow, or hanging up in the middle of a letter, before (dropping) or after
accepting it (forgetful).
"""

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope, Session

from tools.proof.programs import Program, free_port, listens

MOODS = ("well", "refusing", "forbidding", "slow", "dropping", "forgetful")


class Postman:
    def __init__(self, folder: Path) -> None:
        self.mood = folder / "mood"
        self.letters = (folder / "letters").open("ab", buffering=0)

    def feels(self) -> str:
        return self.mood.read_text().strip() if self.mood.exists() else "well"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 (aiosmtpd's)
        mood = self.feels()
        if mood == "refusing":
            return "451 Not now."
        if mood == "forbidding":
            return "550 5.7.1 Your address is on a list."
        if mood == "slow":
            await asyncio.sleep(0.5)
        if mood == "dropping":
            hang_up(server)
            return "421 Gone."
        content: Any = envelope.original_content or b""
        # One write, so that readers never see half of the line with the length.
        self.letters.write(b"%d\n%b" % (len(content), content))
        if mood == "forgetful":  # it accepts the letter, but the sender gets no answer
            hang_up(server)
        return "250 OK"


def hang_up(server: SMTP) -> None:
    assert isinstance(server.transport, asyncio.Transport)
    server.transport.abort()


@contextmanager
def start_sink() -> Iterator[int]:
    """Start the server in a process of its own, in a good mood, and yield its port."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tools.proof.sink", str(port), folder]
        program = Program("sink", command, log=Path(folder, "log"), env={})
        program.start()
        try:
            program.wait_until(lambda: listens(port))
            yield port
        finally:
            program.stop()


async def serve(port: int, folder: Path, address: str = "127.0.0.1") -> None:
    postman = Postman(folder)
    server = await asyncio.get_running_loop().create_server(
        lambda: SMTP(postman, hostname="sink", enable_SMTPUTF8=True), address, port
    )
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:]))
