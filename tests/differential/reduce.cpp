#include "differential/reduce.hpp"

#include <algorithm>

namespace differential {

namespace {

class Reducer {
public:
  Reducer(Case failing, const Fails& fails) : current_(std::move(failing)), fails_(fails) {}

  Case run() {
    std::string before;
    do {
      before = current_.text();
      shorten_lists(current_.kernel);
      unwrap(current_.kernel);
      simplify(current_.kernel);
      shrink_range();
    } while (current_.text() != before);
    return current_;
  }

private:
  bool keep() { return fails_(current_); }

  /// Replaces a part of the tree; it goes back if the case does not fail any more.
  bool replace(Node& part, Node by) {
    std::swap(part, by);
    if (keep()) return true;
    std::swap(part, by);
    return false;
  }

  /// Leaves children out: halves, quarters, and so on to single ones, the last first, as nothing needs them.
  void shorten_lists(Node& tree) {
    if (tree.kind == Node::Kind::list) {
      for (std::size_t length = std::max<std::size_t>(tree.children.size(), 1); length > 0; length /= 2)
        for (std::size_t end = tree.children.size(); end >= length && end > 0;) {
          leave_out(tree, end - length, end);
          end = std::min(end - length, tree.children.size());
        }
    }
    for (Node& child : tree.children)
      shorten_lists(child);
  }

  void leave_out(Node& list, std::size_t begin, std::size_t end) {
    auto first = list.children.begin() + static_cast<std::ptrdiff_t>(begin),
         last = list.children.begin() + static_cast<std::ptrdiff_t>(end);
    if (std::any_of(first, last, [](const Node& child) { return child.is_pinned; })) return;
    Node shorter = list;
    shorter.children.erase(shorter.children.begin() + static_cast<std::ptrdiff_t>(begin),
                           shorter.children.begin() + static_cast<std::ptrdiff_t>(end));
    replace(list, std::move(shorter));
  }

  /// Puts the lists inside a statement in its place.
  void unwrap(Node& tree) {
    if (tree.kind == Node::Kind::list)
      for (std::size_t i = 0; i < tree.children.size(); ++i) {
        const Node& statement = tree.children[i];
        if (statement.is_jump || has_jump(statement)) continue;
        std::vector<Node> inner;
        for (const Node& part : statement.children)
          if (part.kind == Node::Kind::list)
            inner.insert(inner.end(), part.children.begin(), part.children.end());
        if (inner.empty()) continue;
        Node flat = tree;
        flat.children.erase(flat.children.begin() + static_cast<std::ptrdiff_t>(i));
        flat.children.insert(flat.children.begin() + static_cast<std::ptrdiff_t>(i), inner.begin(),
                             inner.end());
        replace(tree, std::move(flat));
      }
    for (Node& child : tree.children)
      unwrap(child);
  }

  void simplify(Node& tree) {
    if (tree.kind == Node::Kind::expression && !tree.children.empty()) {
      for (const char* literal : {"0", "1", "i"})
        if (tree.type != "bool" && try_literal(tree, literal)) break;
      if (tree.type == "bool") try_literal(tree, "true") || try_literal(tree, "false");
      while (use_part(tree, tree)) {
      }
    }
    for (Node& child : tree.children)
      simplify(child);
  }

  bool try_literal(Node& tree, const std::string& literal) {
    if (tree.is_uniform && literal == "i") return false;
    Node by;
    by.kind = Node::Kind::expression;
    by.type = tree.type;
    by.is_uniform = tree.is_uniform;
    bool is_plain = tree.type.empty() || tree.type == "bool" || tree.type == "index";
    by.form = is_plain ? literal : "(" + tree.type + ")(" + literal + ")";
    return replace(tree, std::move(by));
  }

  /// Puts an expression of the same type from inside it in the tree's place.
  bool use_part(Node& tree, const Node& within) {
    for (const Node& child : within.children) {
      if (child.kind != Node::Kind::expression) continue;
      if (child.type == tree.type && !tree.type.empty() && (child.is_uniform || !tree.is_uniform) &&
          replace(tree, Node(child)))
        return true;
      if (use_part(tree, child)) return true;
    }
    return false;
  }

  template <class Change>
  void try_range(Change change) {
    Geometry before = current_.geometry;
    change(current_.geometry);
    if (current_.geometry.items() == 0 || !keep()) current_.geometry = before;
  }

  void shrink_range() {
    for (unsigned d = 0; d < 3; ++d) {
      try_range([&](Geometry& g) { g.offset[d] = 0; });
      try_range([&](Geometry& g) { g.local[d] = g.global[d] = 1; });
      try_range([&](Geometry& g) { g.global[d] = std::min(g.global[d], g.local[d]); });
      for (std::size_t size : {1, 2, 3, 4, 5, 8, 9, 16, 17, 32})
        if (size < current_.geometry.local[d])
          try_range([&](Geometry& g) { g.local[d] = g.global[d] = size; });
      while (current_.geometry.global[d] > 1) {
        std::size_t before = current_.geometry.global[d];
        try_range([&](Geometry& g) { g.global[d] /= 2; });
        if (current_.geometry.global[d] == before) try_range([&](Geometry& g) { --g.global[d]; });
        if (current_.geometry.global[d] == before) break;
      }
    }
    try_range([](Geometry& g) {
      if (g.global[2] == 1) g.dimensions = g.global[1] == 1 ? 1 : 2;
    });
  }

  Case current_;
  const Fails& fails_;
};

} // namespace

Case reduce(Case failing, const Fails& fails) {
  return Reducer(std::move(failing), fails).run();
}

} // namespace differential
