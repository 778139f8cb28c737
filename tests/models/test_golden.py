"""The same seed finds the same as it did when the numbers were recorded."""

from __future__ import annotations

import json

from tests.models.golden import RECORDED, chains


def test_seeded_chains_do_what_they_did_when_they_were_recorded():
    recorded = json.loads(RECORDED.read_text())
    assert dict(chains()) == recorded
