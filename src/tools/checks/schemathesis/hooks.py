"""Rules for valid requests that JSON Schema cannot express: with them, every valid request is answered with 200."""

import os
import uuid
from datetime import datetime, timedelta, timezone

import schemathesis
from hypothesis import strategies as st

# Photos that cannot be fetched: a test key then gets synthetic answers, which need no model.
PHOTO_URLS = st.from_regex(r"https://photos\.invalid/[a-z0-9]{1,20}\.jpg", fullmatch=True)
schemathesis.openapi.format("uri", PHOTO_URLS)

# Events are not before their call, which was made just now, and at most a day ahead.
START = datetime.now(timezone.utc).replace(tzinfo=None)
TIMES = st.datetimes(min_value=START, max_value=START + timedelta(hours=20))
schemathesis.openapi.format("date-time", TIMES.map(lambda time: f"{time.isoformat()}Z"))

# Request id of a call that the key's organisation made and that returned five openers.
ANSWERED_REQUEST_ID = os.environ["ANSWERED_REQUEST_ID"]


@schemathesis.hook
def before_call(context, case, kwargs):
    if not case.meta or not case.meta.generation.mode.is_positive:
        return
    # `never` returns photo errors, which the tests in test/http cover.
    case.headers.pop("X-Service-Synthetic", None)
    # Reusing a key with another body is an error.
    if "X-Idempotency-Key" in case.headers:
        case.headers["X-Idempotency-Key"] = str(uuid.uuid4())
    if case.path == "/v1/events":
        for record in case.body:
            record["context"]["originating_request_id"] = ANSWERED_REQUEST_ID
            # The time of an example is in the past. ISO 8601 in UTC sorts as text.
            record["ts"] = max(record["ts"], f"{START.isoformat()}Z")
