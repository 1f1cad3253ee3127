"""A gate's checks as JUnit XML, which CI services show beside unit tests."""

import re
import xml.etree.ElementTree as ET

from voicebench.compare.checks import Check, GateResult

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, not even escaped."""


def junit(result: GateResult) -> str:
    """Return the checks as one test suite, a test case each; a failure holds what was found.

    The elements are those that Jenkins' JUnit plugin and the usual GitHub actions read: `testsuites`,
    `testsuite`, `testcase`, `failure`, `system-out`.
    """
    n_failed = sum(not check.passed for check in result.checks)
    totals = {"tests": str(len(result.checks)), "failures": str(n_failed), "errors": "0", "time": "0"}
    suites = ET.Element("testsuites", {"name": "voicebench gate", **totals})
    name = _clean(f"{result.agent} in {result.run}")
    suite = ET.SubElement(suites, "testsuite", {"name": name, **totals, "skipped": "0"})
    for check in result.checks:
        _case(suite, check)
    if result.notes:
        ET.SubElement(suite, "system-out").text = _clean("\n".join(result.notes))
    ET.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suites, encoding="unicode") + "\n"


def _case(suite: ET.Element, check: Check) -> None:
    names = {"classname": _clean(f"voicebench.gate.{check.figure}"), "name": _clean(check.name), "time": "0"}
    case = ET.SubElement(suite, "testcase", names)
    if check.passed:
        ET.SubElement(case, "system-out").text = _clean(check.message)
        return
    about = {"message": _clean(check.message), "type": check.kind.replace(" ", "-")}
    ET.SubElement(case, "failure", about).text = _clean(_details(check))


def _details(check: Check) -> str:
    shown = check.model_dump(exclude={"passed", "message"}, exclude_none=True)
    return "\n".join([check.message, "", *(f"{key}: {value}" for key, value in shown.items())])


def _clean(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
