"""Reports in a notebook."""

from __future__ import annotations

import html


def frame(page: str, title: str) -> str:
    """A page in a frame of its own, which can reach nothing and needs no network."""
    return (
        f'<iframe srcdoc="{html.escape(page, quote=True)}" sandbox="allow-scripts" title="{html.escape(title, quote=True)}" '
        'style="width: 100%; height: 640px; border: 1px solid #8a929b"></iframe>'
    )
