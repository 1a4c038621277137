"""A bot for the line protocol (docs/bot-protocol.md): it lays the cards of most points, and discards the cheapest."""

import json
import sys

rules = {}


def points(card):
    """What a card counts: X is the joker, 7h the seven of hearts, 2d=7 a two that stands for a seven."""
    names = {"X": "value_joker", "2": "value_two", "A": "value_ace"}
    return rules[names.get(card[0], "value_low" if card[0] in "34567" else "value_high")]


def gain(action):
    """What an action lays down in points; they are texts like "draw", "meld 3h 4h X=5", "add 2 9h", "discard Ks"."""
    kind, *words = action.split()
    laid = sum(points(card) for card in {"meld": words, "add": words[1:2]}.get(kind, []))
    return -points(words[0]) if kind == "discard" else laid


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": 1, "name": "highest meld"}), flush=True)
    elif message["type"] == "rules":
        rules = message["rules"]
    elif message["type"] == "choose":
        best = max(message["legal"], key=gain)
        print(json.dumps({"type": "action", "id": message["id"], "action": best}), flush=True)
