"""Runs a shell command in a pseudo-terminal, and checks that Tabiya's full screen comes up, takes keys, and leaves.

    python3 .ci/terminal.py 'cargo run --release'
"""

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

# Building it may take a while, where nothing is built yet.
PATIENCE = 900

OTHER_SCREEN = b"\x1b[?1049h"
FIRST_SCREEN = b"\x1b[?1049l"
DOWN = b"\x1b[B"


def plain(written):
    """What was written, without blanks and without what tells a terminal where and how to show it."""
    text = written.decode(errors="replace")
    return re.sub(r"\x1b\[[^A-Za-z]*[A-Za-z]|\s", "", text)


def main(command):
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        os.environ["TERM"] = "xterm-256color"
        os.execvp("bash", ["bash", "-c", command])
    seen = bytearray()

    def read():
        """Reads on; says whether there was anything more."""
        if not select.select([terminal], [], [], PATIENCE)[0]:
            fail("it writes nothing more, and does not end")
        try:
            part = os.read(terminal, 65536)
        except OSError:  # Linux says so when the other side is closed.
            part = b""
        seen.extend(part)
        return bool(part)

    def wait_for(text, after=0):
        """Waits until a text is shown. Blanks are not written, but leapt over."""
        while text.replace(" ", "") not in plain(seen[after:]):
            if not read():
                fail(f"it ended before it showed '{text}'")
        return len(seen)

    def fail(why):
        sys.exit(f"{command}: {why}. It wrote:\n{seen.decode(errors='replace')!r}")

    shown = wait_for("Play, two at one board")
    if OTHER_SCREEN not in seen:
        fail("it did not enter the other screen")
    os.write(terminal, DOWN + b"\r")
    shown = wait_for("White to move", shown)
    os.write(terminal, b"e2e4\r")
    wait_for("White played e4.", shown)
    os.write(terminal, b":quit\r")
    while read():
        pass
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if status != 0:
        fail(f"it ended with {status}")
    if seen.rfind(FIRST_SCREEN) < seen.rfind(OTHER_SCREEN):
        fail("it did not leave the other screen")
    print("the full screen came up, a move was played, and it left cleanly")


if __name__ == "__main__":
    main(sys.argv[1])
