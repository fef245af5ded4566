"""Tries the recipes of docs/serve.md with Debian's nginx, on this machine only: TLS in front of a server, and two servers
that share the games by their IDs. Usage: python nginx.py PROGRAM"""

import base64
import json
import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

program = sys.argv[1]
root = pathlib.Path(__file__).resolve().parent.parent
recipes = re.findall(r"```nginx\n(.*?)```", (root / "docs/serve.md").read_text(), re.S)


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Site:
    """nginx with a certificate of its own, and what browsers and programs do there."""

    def __init__(self, folder, recipe, ports):
        self.port = free_port()
        self.base = f"https://localhost:{self.port}"
        key, certificate = folder / "key.pem", folder / "certificate.pem"
        if not key.exists():
            command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
            subprocess.run([*command.split(), "-keyout", key, "-out", certificate], check=True, stderr=subprocess.DEVNULL)
        self.trust = ssl.create_default_context(cafile=certificate)
        for wanted, port in ports.items():
            assert f"127.0.0.1:{wanted}" in recipe, f"the recipe should name port {wanted}"
            recipe = recipe.replace(f"127.0.0.1:{wanted}", f"127.0.0.1:{port}")
        outside, location = recipe.split("location", 1) if "location" in recipe else ("", recipe)
        places = "\n".join(f"{kind}_temp_path {folder}/{kind};" for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        (folder / "nginx.conf").write_text(
            f"""daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_processes 1;
            events {{ worker_connections 256; }}
            http {{ access_log off; {places}
            {outside}
            server {{ listen 127.0.0.1:{self.port} ssl; server_name localhost;
            ssl_certificate {certificate}; ssl_certificate_key {key};
            location{location} }} }}"""
        )
        nginx = "/usr/sbin/nginx" if os.path.exists("/usr/sbin/nginx") else "nginx"
        self.nginx = subprocess.Popen([nginx, "-c", folder / "nginx.conf", "-e", folder / "error.log"])
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                break
            except OSError:
                assert self.nginx.poll() is None, (folder / "error.log").read_text()
                time.sleep(0.05)

    def ask(self, path, body=None, bearer=None, timeout=20):
        headers = {"Content-Type": "application/json", "Origin": self.base}
        if bearer:
            headers["Authorization"] = f"Bearer {bearer}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, headers)
        return urllib.request.urlopen(request, context=self.trust, timeout=timeout)

    def json(self, *arguments, **named):
        return json.load(self.ask(*arguments, **named))

    def status(self, *arguments, **named):
        try:
            return self.ask(*arguments, **named).status
        except urllib.error.HTTPError as error:
            return error.code

    def enter(self, printed):
        """Enters by the address that a server printed, as a browser does."""
        base, token = printed.split("/#")
        assert base == self.base, printed
        return self.json("/api/enter", {"token": token})["session"]

    def socket_state(self, game, token):
        """The first message of a WebSocket through TLS and nginx."""
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        with self.trust.wrap_socket(plain, server_hostname="localhost") as stream:
            stream.sendall(
                f"GET /api/games/{game}/socket HTTP/1.1\r\nHost: localhost:{self.port}\r\nUpgrade: websocket\r\n"
                f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nOrigin: {self.base}\r\n"
                f"Sec-WebSocket-Protocol: tabiya.2, tabiya.bearer.{token}\r\n"
                f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n".encode()
            )
            read = b""
            while b'"type":"state"' not in read:
                more = stream.recv(65536)
                assert more, read
                read += more
            assert read.startswith(b"HTTP/1.1 101"), read

    def stream_state(self, game, token):
        """The first event of a stream, which nginx must not hold back."""
        for line in self.ask(f"/api/games/{game}/events", bearer=token):
            if line.startswith(b"data: "):
                assert json.loads(line[6:])["type"] == "state"
                return

    def close(self):
        self.nginx.send_signal(signal.SIGQUIT)
        self.nginx.wait(timeout=20)


def serve(folder, port, site_port, *arguments):
    server = subprocess.Popen(
        [program, "serve", "--listen", f"127.0.0.1:{port}", "--public", f"https://localhost:{site_port}", *arguments],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "XDG_DATA_HOME": str(folder / "data")},
    )
    return server, server.stdout.readline().strip()


def tokens(made):
    return {role: link.split("#")[1] for role, link in made["links"].items()}


def end(server):
    server.send_signal(signal.SIGTERM)
    assert server.wait(timeout=30) == 0


def tls(folder):
    port = free_port()
    site = Site(folder, recipes[0], {8080: port})
    server, printed = serve(folder, port, site.port)
    try:
        host = site.enter(printed)
        made = site.json("/api/games", {"opponent": "here"}, bearer=host)
        token = tokens(made)["both"]
        assert made["links"]["both"].startswith(site.base), made
        site.socket_state(made["id"], token)
        site.stream_state(made["id"], token)
        assert site.json(f"/api/games/{made['id']}/moves", {"move": "e4"}, bearer=token)["board"]["ply"] == 1
        assert b"<title>" in site.ask("/").read()
        # Another name leads nowhere, also through nginx.
        request = urllib.request.Request(site.base + "/", headers={"Host": "evil.example"})
        try:
            urllib.request.urlopen(request, context=site.trust)
            raise AssertionError("another name is answered")
        except urllib.error.HTTPError as error:
            assert error.code == 421, error
        # One address has so many connections at once, and they come free again.
        streams = [site.ask(f"/api/games/{made['id']}/events", bearer=token) for _ in range(64)]
        assert site.status("/api/about") == 503
        for stream in streams:
            stream.close()
        for _ in range(200):
            if site.status("/api/about") == 200:
                break
            time.sleep(0.05)
        else:
            raise AssertionError("no connection has come free")
    finally:
        end(server)
        site.close()
    # The rate of one address is limited too; a lower one is tried sooner.
    slow = recipes[0].replace("rate=200r/s", "rate=1r/s").replace("burst=2000", "burst=5")
    assert slow != recipes[0], "the recipe should limit the rate"
    site = Site(folder, slow, {8080: port})
    try:
        statuses = [site.status("/api/about") for _ in range(30)]
        assert 503 in statuses and statuses[0] != 503, statuses
    finally:
        site.close()
    print("TLS by nginx: page, interface, stream and WebSocket; connections and requests of one address are limited")


def shared(folder):
    ports = [free_port(), free_port()]
    site = Site(folder, recipes[1], {8080: ports[0], 8081: ports[1]})
    servers = [serve(folder, port, site.port, "--share", f"{at + 1}/2") for at, port in enumerate(ports)]
    try:
        host = site.enter(servers[0][1])
        games = [site.json("/api/games", {"opponent": "person", "clock": "10"}, bearer=host) for _ in range(24)]
        of_second = [made for made in games if made["id"][0] in "89abcdef"]
        assert 0 < len(of_second) < len(games), [made["id"] for made in games]
        for made in games:
            known = tokens(made)
            path = f"/api/games/{made['id']}"
            assert site.json(f"{path}/enter", {"token": known["black"]})["you"] == "black"
            assert site.json(path, bearer=known["black"])["you"] == "black"
            # The game begins when both have come.
            site.socket_state(made["id"], known["white"])
            site.socket_state(made["id"], known["black"])
            assert site.json(f"{path}/moves", {"move": "e4"}, bearer=known["white"])["board"]["ply"] == 1
            assert site.json(f"{path}/moves", {"move": "e5"}, bearer=known["black"])["board"]["ply"] == 2
        listed = site.json("/api/games", bearer=host)["games"]
        assert {game["id"] for game in listed} == {made["id"] for made in games}
        # One is killed: the games of the other go on, and its own when it is there again.
        servers[1][0].kill()
        servers[1][0].wait()
        for made in games:
            status = site.status(f"/api/games/{made['id']}/fen", bearer=tokens(made)["watch"])
            assert status == (502 if made in of_second else 200), (made["id"], status)
        servers[1] = serve(folder, ports[1], site.port, "--share", "2/2")
        for made in games:
            assert site.json(f"/api/games/{made['id']}", bearer=tokens(made)["watch"])["board"]["ply"] == 2
    finally:
        for server, _ in servers:
            end(server)
        site.close()
    print(f"two servers behind nginx: {len(games) - len(of_second)} and {len(of_second)} games, one of them killed")


for attempt in (tls, shared):
    with tempfile.TemporaryDirectory() as folder:
        attempt(pathlib.Path(folder))
