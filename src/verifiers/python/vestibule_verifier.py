"""Verifies Vestibule's access tokens without a request for each, and knows of a sign out within 100 ms.

One file for Python 3.9 or later; it needs PyJWT: pip install 'PyJWT[crypto]'.
"""

import json
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

import jwt

POLL = 0.3  # seconds that the server holds a request for the next revocation
MAX_AGE = 1.0  # the list of revocations may be this old
PAUSE = 0.25  # after a failure
KEYS_AGE = 300  # of the key set, and of the result of a signature check
KEYS_PAUSE = 5  # between readings of the key set because of unknown keys
CACHE_SIZE = 10_000


class InvalidToken(Exception):
    """The token is not valid, or no longer: answer 401."""


class Unavailable(Exception):
    """Whether the token is valid cannot be known now: answer 503."""


class Verifier:
    """Make one for the whole process, and wait() before the first request. It is safe for threads.

    With an audience, the URI of your API, it accepts OAuth access tokens for it; without, session tokens.
    when_silent says what to do while the list is not up to date: "refuse", or "ask" the server (session tokens only).
    """

    def __init__(self, url, project_id, secret_key, audience=None, when_silent="refuse", leeway=5):
        if leeway > 60 or when_silent not in ("refuse", "ask") or (audience and when_silent == "ask"):
            raise ValueError("see the parameters")
        self.url, self.project_id, self.secret_key = url, project_id, secret_key
        self.audience, self.when_silent, self.leeway = audience, when_silent, leeway
        self.issuer = f"{url}/v1/projects/{project_id}"
        self._ended = {}  # id of a session or grant: when its last token has expired
        self._verified = {}  # token: (claims, until)
        self._keys, self._keys_at, self._keys_lock = {}, float("-inf"), threading.Lock()
        self._cursor, self._complete_at, self._cleaned_at = None, float("-inf"), 0.0
        self._ready, self._closed = threading.Event(), threading.Event()
        threading.Thread(target=self._follow, daemon=True).start()

    def wait(self, seconds=10):
        """Whether the list was read within the time."""
        return self._ready.wait(seconds)

    def verify(self, token):
        """The claims of a valid token."""
        if not self.is_current():
            if self.when_silent == "ask":
                return self._ask(token)
            raise Unavailable("the list of revocations is not up to date")
        claims = self._remembered(token) or self._check(token)
        if claims.get("sid") in self._ended or str(claims.get("jti")).split(".")[0] in self._ended:
            raise InvalidToken("revoked")
        if not self.is_current():
            raise Unavailable("the list of revocations is not up to date")
        return claims

    def is_current(self):
        """Whether everything that ended more than a second ago is known."""
        return time.monotonic() - self._complete_at < MAX_AGE

    def close(self):
        self._closed.set()

    def _remembered(self, token):
        claims, until = self._verified.get(token, (None, 0))
        return claims if claims and time.monotonic() < until and time.time() < claims["exp"] + self.leeway else None

    def _check(self, token):
        try:
            header = jwt.get_unverified_header(token)
            key = self._key(header.get("kid"))
            if key is None:
                raise InvalidToken("signed by an unknown key")
            claims = jwt.decode(
                token,
                key.key,
                algorithms=[key.algorithm_name],
                issuer=self.issuer,
                audience=self.audience or self.project_id,
                leeway=self.leeway,
                options={"require": ["sub", "exp", "jti" if self.audience else "sid"]},
            )
        except (jwt.InvalidTokenError, ValueError, TypeError) as invalid:
            raise InvalidToken(str(invalid)) from invalid
        if header.get("typ") != ("at+jwt" if self.audience else "JWT"):
            raise InvalidToken("of another type")
        if "cnf" in claims:
            raise InvalidToken("bound to a key (RFC 9449), whose proof is not checked here")
        if not self.audience and claims.get("type") != "access":
            raise InvalidToken("not an access token")
        while len(self._verified) >= CACHE_SIZE:
            self._verified.pop(next(iter(self._verified), None), None)
        self._verified[token] = (claims, self._keys_at + KEYS_AGE)
        return claims

    def _key(self, key_id):
        with self._keys_lock:
            age = time.monotonic() - self._keys_at
            if age > KEYS_AGE or (key_id not in self._keys and age > KEYS_PAUSE):
                try:
                    keys = jwt.PyJWKSet.from_dict(self._get(f"{self.issuer}/.well-known/jwks.json", {}, 5))
                except (OSError, ValueError, jwt.PyJWTError) as failure:
                    raise Unavailable("the key set cannot be read") from failure
                self._keys = {key.key_id: key for key in keys.keys}
                self._keys_at = time.monotonic()
            return self._keys.get(key_id)

    @staticmethod
    def _get(url, headers, seconds):
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=seconds) as response:
            return json.load(response)

    def _ask(self, token):
        try:
            headers = {"Authorization": f"Bearer {token}"}
            payload = self._get(f"{self.url}/v1/auth/token/verify", headers, 5)["payload"]
        except urllib.error.HTTPError as refusal:
            if refusal.code == 401:
                raise InvalidToken("refused by the server") from refusal
            raise Unavailable("the server does not answer") from refusal
        except (OSError, ValueError) as failure:
            raise Unavailable("the server does not answer") from failure
        if payload["projectId"] != self.project_id:
            raise InvalidToken("of another project")
        return payload

    def _follow(self):
        while not self._closed.is_set():
            try:
                self._read_revocations()
            except Exception:  # whatever it was: the list gets old, and tokens are refused
                self._closed.wait(PAUSE)

    def _read_revocations(self):
        asked_at = time.monotonic()
        query = {"limit": 10_000}
        if self._cursor:
            query.update(after=self._cursor, waitMilliseconds=int(POLL * 1000))
        page = self._get(
            f"{self.url}/v1/backend/revocations?{urllib.parse.urlencode(query)}",
            {"x-api-key": self.secret_key},
            MAX_AGE * (2 if self.is_current() else 10),
        )
        for revocation in page["revocations"]:
            self._ended[revocation["id"]] = revocation["exp"]
        self._cursor = page["cursor"]
        if page["hasMore"]:
            return
        self._complete_at = asked_at
        self._ready.set()
        now = time.time()
        if now - self._cleaned_at > 60:
            self._cleaned_at = now
            self._ended = {id: exp for id, exp in self._ended.items() if exp >= now}
