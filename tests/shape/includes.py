"""What includes what: circles of units, and arrows between layers."""

import collections
import functools
import re

SOURCES = {".cpp", ".hpp", ".h", ".inc"}
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
LONGEST_CIRCLE = 4


def arrows(tree, files):
    """Pairs of files of the product, the second of which the first includes."""
    known = {str(path) for path in files}
    for path in files:
        if path.suffix in SOURCES and "tests" not in path.parts:
            for name in INCLUDE.findall((tree / path).read_text(errors="replace")):
                if name in known:
                    yield str(path), name


def unit(name):
    return name.rsplit(".", 1)[0]


def circles_of(graph):
    """Strongly connected sets of more than one node, after Tarjan; without recursion, which Python bounds."""
    index, low, stack, on_stack = {}, {}, [], set()
    for root in sorted(graph):
        if root in index:
            continue
        path = [(root, iter(sorted(graph[root])))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while path:
            node, rest = path[-1]
            following = next(rest, None)
            if following is None:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[node])
                if low[node] == index[node]:
                    circle = set()
                    while node not in circle:
                        circle.add(stack.pop())
                    on_stack -= circle
                    if len(circle) > 1:
                        yield circle
            elif following not in index:
                index[following] = low[following] = len(index)
                stack.append(following)
                on_stack.add(following)
                path.append((following, iter(sorted(graph.get(following, ())))))
            elif following in on_stack:
                low[node] = min(low[node], index[following])


def circles(tree, files):
    """Units of each circle that is too long, by its first unit."""
    graph = collections.defaultdict(set)
    for source, target in arrows(tree, files):
        if unit(source) != unit(target):
            graph[unit(source)].add(unit(target))
    return {min(circle): len(circle) for circle in circles_of(graph) if len(circle) > LONGEST_CIRCLE}


@functools.cache
def layers(tree):
    """Folders and units with their depth: 0 is the highest layer. Those of one line are peers."""
    lines = (tree / "tests" / "shape" / "layers.txt").read_text().splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    return {place: depth for depth, row in enumerate(rows) for place in row}


def place_of(tree, name):
    """The file's unit where layers.txt lists that, else the innermost listed folder; None if there is none."""
    place = unit(name)
    while place not in layers(tree):
        if "/" not in place:
            return None
        place = place.rsplit("/", 1)[0]
    return place


def arrows_up(tree, files):
    """Numbers of includes from a place to one of a higher layer."""
    found = collections.Counter()
    for source, target in arrows(tree, files):
        places = place_of(tree, source), place_of(tree, target)
        if None in places:
            found[f"{source if places[0] is None else target} (in no layer)"] += 1
        elif layers(tree)[places[0]] > layers(tree)[places[1]]:
            found[f"{places[0]} -> {places[1]}"] += 1
    return found

def pictures(tree, files):
    """Folders of runtime/ that the picture lacks, has besides, or has in another order than the list of layers."""
    guide = tree / "docs" / "architecture.md"
    if not guide.exists():
        return {}
    picture = re.search(r"<!-- picture: layers -->\n(.*?)\n```\n", guide.read_text(), re.DOTALL)
    shown = re.findall(r'\["(runtime/\w+)', picture[1]) if picture else []
    listed = [place for place in layers(tree) if place.startswith("runtime/")]
    found = {f"{place} in the picture or the list only": 1 for place in set(shown) ^ set(listed)}
    if not found and shown != listed:
        found["order of the folders"] = 1
    return found
