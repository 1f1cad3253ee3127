"""From scores to tables and pages."""

from voicebench.report.run_data import RunData
from voicebench.report.shape import Summary
from voicebench.report.summary import summarise
from voicebench.report.table import rows
from voicebench.report.write import ReportPaths, report_json, write_report

__all__ = ["ReportPaths", "RunData", "Summary", "report_json", "rows", "summarise", "write_report"]
