"""The paper's four ablations of an agent: what is asked for them, and the tables that come of it."""

from voicebench.ablation.layout import Subject
from voicebench.ablation.plan import Cell, plan
from voicebench.ablation.shape import Ablation
from voicebench.ablation.tables import tables
from voicebench.ablation.view import as_json, as_lines, as_markdown

__all__ = ["Ablation", "Cell", "Subject", "as_json", "as_lines", "as_markdown", "plan", "tables"]
