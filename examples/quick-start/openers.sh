curl -s http://127.0.0.1:8080/v1/conversation/openers \
  -H "Authorization: Bearer $PROFILE_API_KEY" \
  -H "Content-Type: application/json" \
  --data-binary @- <<JSON
{
  "sender": { "id": "user-1", "name": "Sam" },
  "recipient": {
    "id": "user-2",
    "bio": "Weekend climber, weekday data analyst. My cat supervises every video call.",
    "photos": ["data:image/jpeg;base64,$(base64 < photo.jpg | tr -d '\n')"]
  }
}
JSON
