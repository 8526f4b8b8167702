import datetime
import hashlib
import json
import os
import urllib.request
import uuid

now = datetime.datetime.now(datetime.timezone.utc)
events = [
    {
        "ts": now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "end_user_id": hashlib.sha256(b"user-1").hexdigest(),
        "event": "opener_sent",
        "idempotency_key": str(uuid.uuid4()),
        "context": {"originating_request_id": os.environ["REQUEST_ID"], "opener_index": 0},
    }
]
request = urllib.request.Request(
    "http://127.0.0.1:8080/v1/events",
    method="POST",
    headers={
        "Authorization": f"Bearer {os.environ['PROFILE_API_KEY']}",
        "Content-Type": "application/json",
    },
    data=json.dumps(events).encode(),
)
with urllib.request.urlopen(request, timeout=60) as response:
    print(json.load(response)["accepted"], "accepted")
