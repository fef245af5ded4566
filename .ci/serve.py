"""Tries the interface of the server as programs use it: its own description of it by schemathesis, and the bot of
docs/serve.md. Usage: python serve.py PROGRAM"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import urllib.request

program = sys.argv[1]
root = pathlib.Path(__file__).resolve().parent.parent


def post(url, body, secret=None):
    headers = {"Content-Type": "application/json"}
    if secret:
        headers["Authorization"] = f"Bearer {secret}"
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    return urllib.request.urlopen(request)


def main(folder):
    environment = {**os.environ, "XDG_DATA_HOME": folder}
    server = subprocess.Popen(
        [program, "serve", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True, env=environment
    )
    try:
        base, token = server.stdout.readline().strip().split("/#")
        secret = json.load(post(f"{base}/api/enter", {"token": token}))["session"]
        games = f"{base}/api/games"
        made = json.load(post(games, {"opponent": "here"}, secret))
        print("schemathesis")
        subprocess.run(
            [
                pathlib.Path(sys.executable).parent / "schemathesis",
                "run",
                f"{base}/api/openapi.json",
                "--header", f"Authorization: Bearer {secret}",
                # It would end the session of all other requests.
                "--exclude-path", "/api/session/end",
                "--max-examples", "20",
                "--seed", "1",
                "--workers", "1",
                "--checks", "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance",
                "--suppress-health-check", "all",
                "--request-timeout", "20",
            ],
            check=True,
            timeout=300,
            # It leaves files where it runs.
            cwd=folder,
        )
        print("the bot of docs/serve.md")
        text = (root / "docs/serve.md").read_text()
        bot = re.search(r"```python\n(.*?)```", text, re.S).group(1)
        assert len(bot.splitlines()) <= 30, len(bot.splitlines())
        made = json.load(post(games, {"opponent": "bot:1", "clock": "10s", "fen": "7k/8/8/8/8/8/R7/1R5K w - - 0 1"}, secret))
        played = subprocess.run(
            [sys.executable, "-c", bot, made["links"]["white"]], stdout=subprocess.PIPE, text=True, check=True, timeout=120
        )
        print(played.stdout.strip())
        assert played.stdout.strip(), "the game has an end"
    finally:
        server.send_signal(signal.SIGTERM)
        code = server.wait(timeout=30)
    assert code == 0, f"SIGTERM ends the server with {code}"


with tempfile.TemporaryDirectory() as folder:
    main(folder)
