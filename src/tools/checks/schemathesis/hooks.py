"""What a JSON Schema cannot say of valid requests, so that every valid one is answered 200 and no check is left out."""

import os
import uuid
from datetime import datetime

import schemathesis
from hypothesis import strategies as st

# Photos that cannot be fetched: a test key then gets synthetic data, and no model slows the run down.
PHOTO_URLS = st.from_regex(r"https://photos\.invalid/[a-z0-9]{1,20}\.jpg", fullmatch=True)
schemathesis.openapi.format("uri", PHOTO_URLS)

# Events happened from 2020 on and not in the future.
TIMES = st.datetimes(min_value=datetime(2020, 1, 1), max_value=datetime(2026, 1, 1))
schemathesis.openapi.format("date-time", TIMES.map(lambda time: f"{time.isoformat()}Z"))

# A call with five openers that the organisation of the key has made.
ANSWERED_REQUEST_ID = os.environ["ANSWERED_REQUEST_ID"]


@schemathesis.hook
def before_call(context, case, kwargs):
    if not case.meta or not case.meta.generation.mode.is_positive:
        return
    # With `never` a test key gets the errors that photos bring. tests hold those.
    case.headers.pop("X-Service-Synthetic", None)
    # A key with another body is an error of its own.
    if "X-Idempotency-Key" in case.headers:
        case.headers["X-Idempotency-Key"] = str(uuid.uuid4())
    if case.path == "/v1/events":
        for record in case.body:
            record["context"]["originating_request_id"] = ANSWERED_REQUEST_ID
