"""Fair shuffles: every vector of docs/fair-shuffle.md by code of its own, and what the seeds must and must not do."""

from __future__ import annotations

import json
import re
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from buraco.cards import card_text
from buraco.engine import PUBLIC_SEED, DealSeeds, Match, commitment_of, deal_seed, player_seed, shuffled_pack
from buraco.engine.match import lifted_count
from buraco.engine.shuffle import Draws, draw_label
from buraco.errors import BuracoError
from buraco.notation import parse_witness, verify
from buraco.rules import RULE_SETS
from buraco.texts import texts
from tests.unit import fair_reference as reference
from tests.unit.fair_match import fair_record

PAGE = (Path(__file__).parents[2] / "docs" / "fair-shuffle.md").read_text("utf-8")
VECTORS: list[dict[str, Any]] = [
    json.loads(text) for text in re.findall(r"^```json-vector\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
]
SERVER, OWN = bytes(range(32)), bytes(range(32, 64))


def seeds_of(vector: dict[str, Any]) -> DealSeeds:
    own = tuple(bytes.fromhex(seed) if seed else None for seed in vector["player_seeds"])
    return DealSeeds(vector["match"], vector["deal"], bytes.fromhex(vector["server_seed"]), own)


def test_the_page_has_vectors_for_every_way_of_drawing() -> None:
    rules = [RULE_SETS[vector["rules"]] for vector in VECTORS]
    assert {one.first_dealer for one in rules} == {"random", "cut", "lowest_card"}
    assert {bool(one.cut_bonus) for one in rules} == {True, False}
    assert {vector["players"] for vector in VECTORS} == {2, 4}
    assert any(len(vector.get("dealer_rounds", ())) > 1 for vector in VECTORS)
    assert any(not vector["match"].isascii() for vector in VECTORS)
    assert any(not any(vector["player_seeds"]) for vector in VECTORS)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["rules"])
def test_a_vector_follows_from_the_page_by_code_of_its_own(vector: dict[str, Any]) -> None:
    rules, match, deal = RULE_SETS[vector["rules"]], vector["match"], vector["deal"]
    seed, jokers = bytes.fromhex(vector["server_seed"]), rules.joker_count
    key = reference.combine(seed, match, deal, vector["player_seeds"])
    assert reference.commit(seed, match, deal).hex() == vector["commitment"]
    assert key.hex() == vector["deal_seed"]
    assert list(islice(reference.words_of(key, match, deal, "pack"), 4)) == vector["pack_words"]
    assert reference.pack_of(key, match, deal, jokers) == " ".join(vector["pack"]).split()
    if "cut_aim" in vector:
        assert reference.cut_of(key, match, deal, jokers, vector["cut_aim"]) == vector["cut_count"]
    if deal == 1:
        found = reference.dealer_of(key, match, vector["players"], jokers, rules.first_dealer)
        assert found == (vector["first_dealer"], vector.get("dealer_rounds", []))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["rules"])
def test_the_engine_gives_the_vector(vector: dict[str, Any]) -> None:
    rules, seeds = RULE_SETS[vector["rules"]], seeds_of(vector)
    key = seeds.deal_seed
    assert (seeds.commitment.hex(), key.hex()) == (vector["commitment"], vector["deal_seed"])
    draws = Draws(key, draw_label(seeds.match, seeds.deal, "pack"))
    assert [draws.word() for _ in range(4)] == vector["pack_words"]
    pack = shuffled_pack(rules, key, seeds.match, seeds.deal)
    assert [card_text(card) for card in pack] == " ".join(vector["pack"]).split()
    if seeds.deal > 1:
        return
    match = Match(rules, vector["players"], seed=key, name=seeds.match, own_seeds=True)
    rounds = [[f"{seat} {card_text(card)}" for seat, card in drawn] for drawn in match.dealer_draw.rounds]
    assert (match.dealer_draw.dealer, rounds) == (vector["first_dealer"], vector.get("dealer_rounds", []))
    start = match.begin_deal(seed=key, cut_aim=vector.get("cut_aim"))
    assert start.pack == pack
    assert (None if start.cut is None else start.cut.count) == vector.get("cut_count")


def test_the_public_constant_is_that_of_the_page() -> None:
    assert PUBLIC_SEED.hex() in PAGE
    assert PUBLIC_SEED == reference.PUBLIC


def test_the_witness_of_the_page_is_read_and_is_that_of_the_first_vector() -> None:
    (text,) = re.findall(r"^```json-witness\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    witness, vector = parse_witness(text), VECTORS[0]
    (seen,) = witness.deals
    assert (witness.match, seen.number, seen.commitment) == (vector["match"], vector["deal"], vector["commitment"])
    assert (*(seen.player_seeds or ()),) == (*vector["player_seeds"],)
    assert seen.player_seed == vector["player_seeds"][witness.seat]
    hand = " ".join(vector["pack"]).split()[(witness.seat - vector["first_dealer"] - 1) % 4 : 44 : 4]
    assert [card_text(card) for card in seen.hand or ()] == hand


def test_the_page_names_every_code_of_a_finding_and_no_other() -> None:
    table = PAGE.split("| code | fault | what it says |")[1].split("\n\n")[0]
    told = {key.removeprefix("shuffle.") for key in texts() if key.startswith("shuffle.")}
    assert set(re.findall(r"^\| `([a-z_]+)` \|", table, re.MULTILINE)) == {
        code for code in told if not code.startswith("place.")
    }


def test_the_commitment_binds_seed_match_and_deal() -> None:
    parts = [(SERVER, "m", 1), (OWN, "m", 1), (SERVER, "n", 1), (SERVER, "m", 2), (SERVER, "m\0", 1), (SERVER, "", 1)]
    assert len({commitment_of(*part) for part in parts}) == len(parts)


def test_the_seed_of_a_deal_depends_on_every_seed_its_seat_the_match_and_the_deal() -> None:
    other = bytes(32)
    told = [
        (SERVER, "m", 1, (OWN, None)),
        (OWN, "m", 1, (OWN, None)),
        (SERVER, "n", 1, (OWN, None)),
        (SERVER, "m", 2, (OWN, None)),
        (SERVER, "m", 1, (None, OWN)),
        (SERVER, "m", 1, (OWN, other)),
        (SERVER, "m", 1, (None, None)),
        (SERVER, "m", 1, (None, None, None, None)),
    ]
    assert len({deal_seed(*one) for one in told}) == len(told)


def test_a_silent_seat_gives_the_public_constant() -> None:
    assert deal_seed(SERVER, "m", 1, (None, OWN)) == deal_seed(SERVER, "m", 1, (PUBLIC_SEED, OWN))


def test_the_first_seed_of_a_seat_counts() -> None:
    seeds = DealSeeds("m", 1, SERVER, (None,) * 4)
    assert seeds.waiting == (0, 1, 2, 3)
    after = seeds.with_player_seed(2, OWN)
    assert (after.waiting, after.player_seeds) == ((0, 1, 3), (None, None, OWN, None))
    assert after.commitment == seeds.commitment
    with pytest.raises(BuracoError) as caught:
        after.with_player_seed(2, bytes(32))
    assert caught.value.code == "seed_given"


@pytest.mark.parametrize(
    ("seat", "own", "code"),
    [(4, OWN, "no_seat"), (-1, OWN, "no_seat"), (0, OWN[1:], "seed_length"), (0, PUBLIC_SEED, "player_seed_public")],
)
def test_a_seed_that_cannot_be_taken_is_refused(seat: int, own: bytes, code: str) -> None:
    with pytest.raises(BuracoError) as caught:
        DealSeeds("m", 1, SERVER, (None,) * 4).with_player_seed(seat, own)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "player_seed"),
        ("0" * 63, "player_seed"),
        ("0" * 65, "player_seed"),
        ("A" * 64, "player_seed"),
        ("٣" * 64, "player_seed"),
        ("0" * 64 + "\n", "player_seed"),
        (PUBLIC_SEED.hex(), "player_seed_public"),
    ],
)
def test_a_text_that_is_no_seed_is_refused(text: str, code: str) -> None:
    with pytest.raises(BuracoError) as caught:
        player_seed(text)
    assert caught.value.code == code


def test_a_seed_in_hexadecimal_is_read() -> None:
    assert player_seed(OWN.hex()) == OWN


@pytest.mark.parametrize(
    ("match", "deal", "seed", "players", "code"),
    [
        ("a\nb", 1, SERVER, 4, "draw_label"),
        ("\ud800", 1, SERVER, 4, "draw_label"),
        ("a", 0, SERVER, 4, "deal_number"),
        ("a", 2**63, SERVER, 4, "deal_number"),
        ("a", 1, b"", 4, "seed_length"),
        ("a", 1, SERVER, 3, "players"),
    ],
)
def test_seeds_that_cannot_be_are_refused(match: str, deal: int, seed: bytes, players: int, code: str) -> None:
    with pytest.raises(BuracoError) as caught:
        DealSeeds(match, deal, seed, (None,) * players)
    assert caught.value.code == code


def test_the_text_of_the_seeds_tells_none_of_them() -> None:
    seeds = DealSeeds("m", 1, SERVER, (OWN, None))
    for secret in (SERVER, OWN, seeds.deal_seed):
        assert secret.hex() not in repr(seeds)
        assert repr(secret) not in repr(seeds)


def test_a_deal_with_its_own_seed_is_drawn_from_it_alone() -> None:
    rules = RULE_SETS["classico"]
    first = Match(rules, seed=1, name="m", first_dealer=0, own_seeds=True).begin_deal(seed=SERVER, cut_aim=30)
    again = Match(rules, seed=2, name="m", first_dealer=0, own_seeds=True).begin_deal(seed=SERVER, cut_aim=30)
    assert first == again
    assert first.pack == shuffled_pack(rules, SERVER, "m", 1)
    assert first.cut is not None
    assert (first.cut.aim, first.cut.count) == (30, lifted_count(rules, SERVER, "m", 1, 30))


def test_a_match_with_own_seeds_draws_nothing_without_one() -> None:
    pack = shuffled_pack(RULE_SETS["classico"], SERVER, "m", 1)
    for name, told in (("aberto", {}), ("classico", {"pack": pack}), ("classico", {"cut_count": 20})):
        match = Match(RULE_SETS[name], first_dealer=0, own_seeds=True)
        with pytest.raises(BuracoError) as caught:
            match.begin_deal(**told)
        assert caught.value.code == "seed_missing"
        assert match.start is None
    assert match.begin_deal(cut_count=20, pack=pack).pack == pack


@pytest.mark.parametrize("aim", [0, 108, -3, 10**12])
def test_an_aim_beyond_the_pack_is_refused(aim: int) -> None:
    with pytest.raises(BuracoError) as caught:
        lifted_count(RULE_SETS["classico"], SERVER, "m", 1, aim)
    assert caught.value.code == "cut_range"


def test_the_vectors_make_a_record_that_verifies() -> None:
    assert verify(fair_record()) == ()
