"""The audit of the dependencies reads what its services answer, and takes no answer for no good news."""

from __future__ import annotations

import json

import pytest

from scripts.audit import Fault, left_out, npm_faults, pip_faults

PIP = {
    "dependencies": [
        {"name": "sound", "version": "1.0", "vulns": []},
        {
            "name": "faulty",
            "version": "2.0",
            "vulns": [
                {"id": "PYSEC-2026-1", "aliases": ["CVE-2026-1"], "fix_versions": ["2.1"], "description": "..."},
                {"id": "PYSEC-2026-2", "aliases": [], "fix_versions": [], "description": "..."},
            ],
        },
    ],
    "fixes": [],
}
NPM = {
    "auditReportVersion": 2,
    "vulnerabilities": {
        "deep": {
            "severity": "high",
            "range": "<1.2",
            "via": [{"title": "Reads too much", "url": "https://example.org/1"}],
            "fixAvailable": True,
        },
        "above": {"severity": "high", "range": "*", "via": ["deep"], "fixAvailable": False},
    },
}


def test_the_faults_that_pip_audit_knows_are_told_with_what_mends_them() -> None:
    assert pip_faults(json.dumps(PIP)) == [
        Fault("faulty 2.0", "PYSEC-2026-1, CVE-2026-1", "mended in 2.1"),
        Fault("faulty 2.0", "PYSEC-2026-2", "not mended yet"),
    ]
    assert pip_faults('{"dependencies": [], "fixes": []}') == []


def test_the_faults_that_npm_knows_are_told_with_what_mends_them() -> None:
    assert npm_faults(json.dumps(NPM)) == [
        Fault("above *", "high: through deep", "not mended yet"),
        Fault("deep <1.2", "high: Reads too much https://example.org/1", "a mended version is there"),
    ]
    assert npm_faults('{"auditReportVersion": 2, "vulnerabilities": {}}') == []


@pytest.mark.parametrize(
    "answer",
    ["", "connection refused", "[]", '{"message": "request to the registry failed", "error": {"summary": ""}}'],
)
def test_no_answer_is_not_taken_for_no_faults(answer: str) -> None:
    assert pip_faults(answer) is None
    assert npm_faults(answer) is None


def test_a_package_that_was_left_out_is_no_answer() -> None:
    answer = '{"dependencies": [{"name": "own", "skip_reason": "not found"}]}'
    assert (pip_faults(answer), left_out(answer)) == (None, "not found")
    assert left_out(json.dumps(PIP)) == left_out("") == ""


def test_why_npm_has_no_answer_is_told_not_where_its_own_log_lies() -> None:
    assert left_out('{"message": "request failed, reason: connect ECONNREFUSED", "error": {}}') == (
        "request failed, reason: connect ECONNREFUSED"
    )
    assert left_out(json.dumps(NPM)) == ""
