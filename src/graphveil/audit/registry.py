"""The registry of auditable things: every mechanism and algorithm, published steps, repairs, controls, plug-ins."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from graphveil.audit.subject import Subject
from graphveil.errors import unknown_name
from graphveil.plugins import Plugin, rows_of


@cache
def subjects() -> tuple[Subject, ...]:
    """All of them, by kind."""
    from graphveil.audit.subjects.central import central_subjects
    from graphveil.audit.subjects.controls import CONTROLS
    from graphveil.audit.subjects.local import local_subjects
    from graphveil.audit.subjects.mechanisms import MECHANISM_SUBJECTS
    from graphveil.audit.subjects.responses import RESPONSE_SUBJECTS
    from graphveil.audit.subjects.synthetic import synthetic_subjects
    from graphveil.papers.bcpa.audit_subjects import TUPLE_SUBJECTS
    from graphveil.papers.gs_ldp.audit_subjects import GS_LDP_SUBJECTS
    from graphveil.papers.repair_subjects import REPAIR_SUBJECTS

    pages = (*central_subjects(), *local_subjects(), *synthetic_subjects())
    published = (*GS_LDP_SUBJECTS, *TUPLE_SUBJECTS)
    own = (*MECHANISM_SUBJECTS, *RESPONSE_SUBJECTS, *pages, *REPAIR_SUBJECTS, *published, *CONTROLS)
    return own + rows_of("graphveil.audit", Subject, _plugin_subject, own, lambda subject: subject.name)


def _plugin_subject(plugin: Plugin) -> Subject:
    subject: Subject = plugin.value
    return replace(subject, name=plugin.name, package=plugin.package)


def find_subject(name: str) -> Subject:
    """The subject of that name."""
    for subject in subjects():
        if subject.name == name:
            return subject
    names = [subject.name for subject in subjects()]
    raise unknown_name("subject", name, names, listed=f"`graphveil audit` lists all {len(names)} names")
