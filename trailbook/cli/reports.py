"""What doctor and gc found, for people."""

from __future__ import annotations

from trailbook.store.doctor import DoctorReport
from trailbook.store.gc import GcReport


def doctor_text(report: DoctorReport) -> str:
    problems = [
        *(f"missing: the files of artifact {id}" for id in report.missing),
        *(f"damaged: the files of artifact {id}" for id in report.damaged),
        *(f"dangling: {what}" for what in report.dangling),
        *(f"database: {what}" for what in report.database),
    ]
    asides = [
        *(f"surplus (harmless): {path}" for path in report.surplus),
        *(f"pending (no record yet): {id}" for id in report.pending),
    ]
    summary = f"{len(problems)} problems" if problems else "The store is whole"
    return "\n".join([*problems, *asides, f"{summary}: {report.artifacts} artifacts looked at."])


def gc_text(report: GcReport) -> str:
    would = "would be " if report.dry_run else ""
    lines = [
        *(f"{would}deleted: {id}" for id in (*report.gone, *report.surplus)),
        *(f"{would}dropped, can be made again: {id}" for id in report.dropped),
    ]
    return "\n".join([*lines, f"{report.freed:,} bytes {would}freed in {len(lines)} artifacts."])
