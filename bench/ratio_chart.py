"""Draws ratios as horizontal bars on a logarithmic scale."""

import math
from xml.sax.saxutils import escape

LABELS, BARS, ROW, TOP = 390, 420, 22, 64
AHEAD, BEHIND = "#2f7d6b", "#c2613a"
STYLE = ("text { font: 13px system-ui, sans-serif; fill: #333 } .title { font-size: 16px; font-weight: 600 } "
         ".tick { font-size: 11px; fill: #777 }")


def ratio_chart(rows, title):
    """`rows` are (label, ratio) with ratios above 0; returns the SVG's text."""
    low = min([math.floor(math.log10(ratio)) for _, ratio in rows] + [0])
    high = max([math.ceil(math.log10(ratio)) for _, ratio in rows] + [1])

    def x_of(ratio):
        return LABELS + BARS * (math.log10(ratio) - low) / (high - low)

    width, height = LABELS + BARS + 80, TOP + ROW * len(rows) + 16
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
             f"<style>{STYLE}</style>", f'<rect width="{width}" height="{height}" fill="#fff"/>',
             f'<text class="title" x="16" y="28">{escape(title)}: how many times faster</text>']
    for power in range(low, high + 1):
        x = x_of(10.0 ** power)
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 6}" y2="{height - 12}" '
                     f'stroke="{"#555" if power == 0 else "#ddd"}"/>'
                     f'<text class="tick" x="{x:.1f}" y="{TOP - 12}" text-anchor="middle">{10.0 ** power:g}×</text>')
    for index, (label, ratio) in enumerate(rows):
        y = TOP + ROW * index
        left, right = sorted((x_of(1), x_of(ratio)))
        parts.append(f'<text x="{LABELS - 10}" y="{y + 14}" text-anchor="end">{escape(label)}</text>'
                     f'<rect x="{left:.1f}" y="{y + 2}" width="{max(1.0, right - left):.1f}" height="{ROW - 6}" rx="2" '
                     f'fill="{AHEAD if ratio >= 1 else BEHIND}"/>'
                     f'<text class="tick" x="{right + 6:.1f}" y="{y + 14}">{ratio:.3g}×</text>')
    return "\n".join(parts + ["</svg>"]) + "\n"
