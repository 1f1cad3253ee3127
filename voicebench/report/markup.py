"""HTML that is escaped by construction: strings become text, only `Html` is taken as it is."""

import html
from collections.abc import Iterable
from typing import TypeAlias

VOID = frozenset({"meta", "line", "circle", "rect", "path", "br", "input", "link"})
"""Elements that are written without an end tag (HTML's void ones, and the shapes of SVG self-closed)."""


class Html(str):
    """Markup that is already safe; every other string gets escaped."""

    __slots__ = ()


Child: TypeAlias = "str | Iterable[Child] | None"
"""A string (escaped), `Html` (as it is), an iterable of these, or None (nothing)."""


def join(*children: Child) -> Html:
    """Return children one after the other as markup."""
    parts = []
    for child in children:
        if child is None:
            continue
        if isinstance(child, Html):
            parts.append(child)
        elif isinstance(child, str):
            parts.append(Html(html.escape(child, quote=False)))
        else:
            parts.append(join(*child))
    return Html("".join(parts))


def tag(name: str, /, *children: Child, **attributes: str | float | bool | None) -> Html:
    """Return an element.

    Args:
        name: The element's name.
        children: What is in it.
        attributes: Its attributes: a trailing underscore is dropped (`class_`), other underscores become
            hyphens; True is a bare attribute, None and False are left out.
    """
    said = []
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        attribute = key.rstrip("_").replace("_", "-")
        said.append(f" {attribute}" if value is True else f' {attribute}="{html.escape(str(value))}"')
    if name in VOID and not children:
        return Html(f"<{name}{''.join(said)}/>")
    return Html(f"<{name}{''.join(said)}>{join(*children)}</{name}>")
