"""Rialto with the standard library of Python alone: signed trading calls, chat calls, and the event queue.

Settings come from the environment; `npm run demo` prints the lines to paste.
"""

import base64
import hashlib
import hmac
import json
import os
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

URL = os.environ.get("RIALTO", "http://127.0.0.1:8080").rstrip("/")


class Refused(Exception):
    """The server answered, and refused."""

    def __init__(self, code, message, details):
        super().__init__(f"{code}: {message}")
        self.code = code
        self.details = details


def sign(secret, text):
    """HMAC-SHA256 of the signed text, as 64 lower-case hexadecimal digits."""
    return hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()


class Trading:
    """Calls of the trading API. Amounts are texts, never floats."""

    def __init__(self, key=None, secret=None):
        self.key = key
        self.secret = secret
        self.offset_ms = 0

    def call(self, method, path, params=None):
        """Sends a call, and once more if only the clock or the limit was in the way."""
        for attempt in range(5):
            try:
                return self._send(method, path, dict(params or {}))
            except Refused as refusal:
                if refusal.code == "6001":  # More than ten calls in a second.
                    time.sleep(int(refusal.details["retryAfterMs"]) / 1000)
                elif refusal.code != "3006" or attempt > 0:  # The clock: it has been corrected by the answer.
                    raise
        raise TimeoutError(f"{path} met the limit five times. Send fewer calls.")

    def place(self, **order):
        """Places an order. It has an id of ours, so a call whose answer was lost may be repeated safely."""
        order.setdefault("clientOrderId", uuid.uuid4().hex)
        for attempt in range(5):
            try:
                return self.call("POST", "/private/order/create", order)
            except (urllib.error.URLError, TimeoutError, ConnectionError):
                time.sleep(pause(attempt))
        raise TimeoutError(f"Look up the order {order['clientOrderId']}: no answer came.")

    def _send(self, method, path, params):
        headers = {}
        if path.startswith("/private/"):
            params["timestamp"] = str(int(time.time() * 1000) + self.offset_ms)
            # Two equal writes within one millisecond are told apart by it.
            params["nonce"] = uuid.uuid4().hex
        text = urllib.parse.urlencode(params)
        if path.startswith("/private/"):
            # Version 2 signs method and path too, so the signature is worth nothing elsewhere.
            signed = f"{method}\n/v1{path}\n{text}"
            headers = {
                "X-SVC-APIKEY": self.key,
                "X-SVC-SIGNATURE": sign(self.secret, signed),
                "X-SVC-SIGNATURE-VERSION": "2",
            }
        body = text.encode() if method == "POST" else None
        query = f"?{text}" if text and body is None else ""
        answer = ask(f"{URL}/v1{path}{query}", method, headers, body)
        self.offset_ms = int(answer["serverTime"]) - int(time.time() * 1000)
        if answer["status"] != "true":
            error = answer["error"]
            raise Refused(error["code"], error["message"], error.get("details", {}))
        return answer["result"]


class Chat:
    """Calls of the chat API, and its event queue."""

    def __init__(self, user):
        token = base64.b64encode(user.encode()).decode()
        self.headers = {"Authorization": f"Basic {token}"}

    def call(self, method, path, params=None, timeout=30):
        # Texts go as they are; everything else as JSON.
        fields = {
            name: value if isinstance(value, str) else json.dumps(value)
            for name, value in (params or {}).items()
        }
        text = urllib.parse.urlencode(fields)
        body = None if method == "GET" else text.encode()
        query = f"?{text}" if body is None and text else ""
        answer = ask(f"{URL}/api/v1{path}{query}", method, self.headers, body, timeout)
        if answer["result"] != "success":
            raise Refused(answer.get("code", ""), answer["msg"], answer)
        return answer

    def events(self, types):
        """Yields events for as long as the caller reads. A lost connection loses none of them.

        After `{"type": "restarted"}` the server had forgotten the queue: read the state anew.
        """
        queue, failures, kind = None, 0, "started"
        try:
            while True:
                try:
                    if queue is None:
                        queue = self.call("POST", "/register", {"event_types": types})
                        last = queue["last_event_id"]
                        yield {"type": kind, "state": queue}
                        kind = "restarted"
                    # The server answers within a minute, with a heartbeat if nothing happened.
                    position = {"queue_id": queue["queue_id"], "last_event_id": last}
                    answer = self.call("GET", "/events", position, timeout=90)
                    failures = 0
                    for event in answer["events"]:
                        if event["type"] != "heartbeat":
                            yield event
                        last = event["id"]
                except Refused as refusal:
                    if refusal.code != "BAD_EVENT_QUEUE_ID":
                        raise
                    queue = None
                except (urllib.error.URLError, TimeoutError, ConnectionError):
                    failures += 1
                    time.sleep(pause(failures))
        finally:
            if queue is not None:
                self.call("DELETE", "/events", {"queue_id": queue["queue_id"]})


def ask(url, method, headers, body, timeout=15):
    """One request; refusals have a body too, which says why."""
    request = urllib.request.Request(url, body, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        try:
            return json.load(error)
        except ValueError:
            # Of a proxy, not of the server: nothing is known, as after a lost connection.
            raise ConnectionError(f"{method} {url.split('?')[0]}: HTTP {error.code}") from None


def pause(attempt):
    """Doubles, with chance in it, up to ten seconds."""
    return min(10, 0.2 * 2**attempt) * random.uniform(0.5, 1)
