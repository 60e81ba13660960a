"""The registry of auditable things: every mechanism and algorithm, published steps, repairs and controls."""

from __future__ import annotations

from functools import cache

from graphveil.audit.subject import Subject
from graphveil.errors import ParameterError


@cache
def subjects() -> tuple[Subject, ...]:
    """All of them, by kind."""
    from graphveil.audit.controls import CONTROLS
    from graphveil.audit.subjects_central import central_subjects
    from graphveil.audit.subjects_local import local_subjects
    from graphveil.audit.subjects_mechanisms import MECHANISM_SUBJECTS
    from graphveil.audit.subjects_published import PUBLISHED_SUBJECTS, REPAIR_SUBJECTS
    from graphveil.audit.subjects_synthetic import synthetic_subjects

    pages = (*central_subjects(), *local_subjects(), *synthetic_subjects())
    return (*MECHANISM_SUBJECTS, *pages, *REPAIR_SUBJECTS, *PUBLISHED_SUBJECTS, *CONTROLS)


def find_subject(name: str) -> Subject:
    """The subject of that name."""
    for subject in subjects():
        if subject.name == name:
            return subject
    raise ParameterError(f"nothing to audit is called {name!r}; there are: {', '.join(s.name for s in subjects())}")
