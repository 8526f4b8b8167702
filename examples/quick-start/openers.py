import base64
import json
import os
import urllib.request

with open("photo.jpg", "rb") as file:
    photo = base64.b64encode(file.read()).decode()

body = {
    "sender": {"id": "user-1", "name": "Sam"},
    "recipient": {
        "id": "user-2",
        "bio": "Weekend climber, weekday data analyst. My cat supervises every video call.",
        "photos": [f"data:image/jpeg;base64,{photo}"],
    },
}
request = urllib.request.Request(
    "http://127.0.0.1:8080/v1/conversation/openers",
    method="POST",
    headers={
        "Authorization": f"Bearer {os.environ['PROFILE_API_KEY']}",
        "Content-Type": "application/json",
    },
    data=json.dumps(body).encode(),
)
with urllib.request.urlopen(request, timeout=60) as response:
    answer = json.load(response)
for opener in answer["openers"]:
    print(f"{opener['style']}: {opener['text']}")
print(answer["request_id"])
