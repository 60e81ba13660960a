"""What every algorithm is tested for, ours and other packages': one suite for each table, by name of check.

A package that adds algorithms tests them all with three lines:

    @pytest.mark.parametrize("check", conformance_checks("my_package"), ids=str)
    def test_my_algorithms_conform(check):
        check()
"""

from graphveil.testing.suite import Check, conformance_checks

__all__ = ["Check", "conformance_checks"]
