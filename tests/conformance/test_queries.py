"""Every algorithm of the registry passes the suite that plug-ins have to pass."""

import pytest

from graphveil.registry import QUERIES
from graphveil.testing.central import CHECKS


@pytest.mark.parametrize("algorithm", QUERIES, ids=lambda a: a.name)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_query(check, algorithm):
    check(algorithm)
