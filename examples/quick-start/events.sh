curl -s http://127.0.0.1:8080/v1/events \
  -H "Authorization: Bearer $PROFILE_API_KEY" \
  -H "Content-Type: application/json" \
  --data-binary @- <<JSON
[
  {
    "ts": "$(date -u +%Y-%m-%dT%H:%M:%SZ)",
    "end_user_id": "$(printf user-1 | openssl dgst -sha256 -r | cut -c 1-64)",
    "event": "opener_sent",
    "idempotency_key": "$(openssl rand -hex 16 | sed -E 's/(.{8})(.{4})(.{4})(.{4})/\1-\2-\3-\4-/')",
    "context": { "originating_request_id": "$REQUEST_ID", "opener_index": 0 }
  }
]
JSON
