"""A bot for the line protocol (docs/bot-protocol.md): it lays the cards of most points, and discards the cheapest."""

import json
import sys


def points(card, rules):
    """What a card counts: X is the joker, 7h the seven of hearts, 2d=7 a two that stands for a seven."""
    names = {"X": "value_joker", "2": "value_two", "A": "value_ace"}
    return rules[names.get(card[0], "value_low" if card[0] in "34567" else "value_high")]


def choose(legal, rules):
    """Choose one of the legal actions: texts such as "draw", "meld 3h 4h X=5", "add 2 9h" and "discard Ks"."""

    def tabled(action):
        kind, *words = action.split()
        cards = {"meld": words, "add": words[1:2]}.get(kind, [])
        return sum(points(card, rules) for card in cards)

    best = max(legal, key=tabled)
    discards = [action for action in legal if action.startswith("discard")]
    if tabled(best) or not discards:
        return best
    return min(discards, key=lambda action: points(action.split()[1], rules))


rules = {}
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": 1, "name": "highest meld"}), flush=True)
    elif message["type"] == "rules":
        rules = message["rules"]
    elif message["type"] == "choose":
        action = choose(message["legal"], rules)
        print(json.dumps({"type": "action", "id": message["id"], "action": action}), flush=True)
