"""Judges deliveries with the library of Standard Webhooks; tests/prove/webhook-judge.prove.ts hands them over."""

import json
import sys

from standardwebhooks import Webhook, WebhookVerificationError


def judge(delivery: dict) -> str:
    """Returns the id in a verified body, or why the delivery is refused."""
    try:
        return Webhook(delivery["secret"]).verify(delivery["body"], delivery["headers"])["id"]
    except WebhookVerificationError as error:
        return str(error)


print(json.dumps([judge(delivery) for delivery in json.load(sys.stdin)]))
