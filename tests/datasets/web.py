"""A web server on this machine, for tests of downloads."""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


class Web:
    """A web server on this machine: pages by path, and a count of what was asked for."""

    def __init__(self) -> None:
        self.pages: dict[str, bytes] = {}
        self.cut_short: set[str] = set()  # announced whole, sent by half
        self.stuck: set[str] = set()  # sent by half, then nothing more, and no end
        self.half_sent = threading.Event()
        self.asked: Counter = Counter()
        self.at_once = self.most_at_once = 0
        self.delay = 0.0  # seconds before an answer
        self.lock = threading.Lock()
        web = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                with web.lock:
                    web.at_once += 1
                    web.most_at_once = max(web.most_at_once, web.at_once)
                threading.Event().wait(web.delay)
                self.answer()
                with web.lock:
                    web.at_once -= 1

            def answer(self) -> None:
                path = self.path.partition("?")[0]
                web.asked[f"{self.command} {path}"] += 1
                content = web.pages.get(path)
                self.send_response(200 if content is not None else 404)
                content = content if content is not None else b"not here"
                self.send_header("Content-Length", str(len(content)))
                self.send_header("Content-Type", "text/html" if path.endswith("/") else "application/octet-stream")
                self.send_header("Last-Modified", "Sat, 01 Jan 2000 00:00:00 GMT")
                self.send_header("ETag", '"1"')
                self.end_headers()
                if self.command == "GET":
                    self.send(path, content)

            def send(self, path: str, content: bytes) -> None:
                half = len(content) // 2 if path in web.cut_short | web.stuck else len(content)
                self.wfile.write(content[:half])
                self.wfile.flush()
                web.half_sent.set()
                while path in web.stuck:
                    threading.Event().wait(0.05)

            do_HEAD = do_GET

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
