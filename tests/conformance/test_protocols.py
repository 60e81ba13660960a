"""Every collection protocol passes the suite that plug-ins have to pass."""

import pytest

from graphveil.registry import PROTOCOLS
from graphveil.testing.local import CHECKS


@pytest.mark.parametrize("entry", PROTOCOLS, ids=lambda entry: f"{entry.query}-{entry.name}-{entry.unit}")
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_protocol(check, entry):
    check(entry)
