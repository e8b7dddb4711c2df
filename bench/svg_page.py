"""Pictures as SVG that is readable on light and on dark pages, whatever their background."""

from xml.sax.saxutils import escape

LIGHT = {"text": "#24292f", "faint": "#59636e", "one": "#0f766e", "two": "#c2570c", "three": "#7c3aed", "four": "#94a3b8",
         "grid": "#d0d7de", "axis": "#57606a", "inside": "#ffffff"}
DARK = {"text": "#e6edf3", "faint": "#9aa4b2", "one": "#2dd4bf", "two": "#fb923c", "three": "#a78bfa", "four": "#64748b",
        "grid": "#3d444d", "axis": "#9aa4b2", "inside": "#0d1117"}
SERIES = ("one", "two", "three", "four")
SHAPES = ("text { font: 14px system-ui, 'DejaVu Sans', sans-serif } .title { font-weight: 600 } .small { font-size: 12px } "
          ".end { text-anchor: end } .middle { text-anchor: middle } polyline.curve { fill: none; stroke-width: 2 }")


def rules(colours):
    """The style's rules for one set of colours, without variables, which some viewers lack."""
    named = {"text": "text", "faint": "text.faint", "inside": "text.inside"}
    return " ".join([f"{named.get(name, '.' + name)} {{ {'stroke' if name in ('grid', 'axis') else 'fill'}: {colour} }}"
                     for name, colour in colours.items()] +
                    [f".curve.{name} {{ stroke: {colour} }}" for name, colour in colours.items() if name in SERIES])


def text(x, y, words, kind=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{escape(words)}</text>'


def box(x, y, width, height, kind):
    return (f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0.5):.1f}" height="{height:.1f}" rx="{min(height / 4, 2):.1f}" '
            f'class="{kind}"/>')


def line(x1, y1, x2, y2, kind="grid"):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def curve(points, kind, dashed=False):
    """A line through points (x, y) in the colour of one of SERIES."""
    return (f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}" class="curve {kind}"'
            f'{" stroke-dasharray=" + chr(34) + "5 4" + chr(34) if dashed else ""}/>')


def page(width, height, parts, description):
    """The text of an SVG file. `description` says in words what the picture shows."""
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>{escape(description)}</title>",
        f"<style>{SHAPES} {rules(LIGHT)} @media (prefers-color-scheme: dark) {{ {rules(DARK)} }}</style>",
        *parts, "</svg>"]) + "\n"
