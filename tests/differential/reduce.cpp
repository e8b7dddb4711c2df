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
      shrink_launches();
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
    if ((tree.is_uniform || tree.type.empty()) && literal == "i") return false; // which may be too large
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

  /// Keeps a change of the launches if the case still fails.
  template <class Change>
  bool try_launches(Change change) {
    const Launches before = current_.launches;
    change(current_.launches);
    for (const Range& range : current_.launches.ranges)
      if (range.items() == 0 || range.group_items() == 0) {
        current_.launches = before;
        return false;
      }
    if (current_.launches.ranges == before.ranges && current_.launches.queues == before.queues &&
        current_.launches.threads == before.threads)
      return false;
    if (keep()) return true;
    current_.launches = before;
    return false;
  }

  void shrink_launches() {
    try_launches([](Launches& l) { l.queues = 0; });
    try_launches([](Launches& l) { l.threads = 1; });
    for (std::size_t i = current_.launches.ranges.size(); i-- > 0;)
      if (current_.launches.ranges.size() > 1)
        try_launches([&](Launches& l) { l.ranges.erase(l.ranges.begin() + static_cast<std::ptrdiff_t>(i)); });
    for (std::size_t i = 0; i < current_.launches.ranges.size(); ++i)
      shrink_range(i);
  }

  void shrink_range(std::size_t number) {
    auto try_range = [&](auto change) {
      return try_launches([&](Launches& l) { change(l.ranges[number]); });
    };
    auto range = [&]() -> const Range& { return current_.launches.ranges[number]; };
    for (unsigned d = 0; d < 3; ++d) {
      try_range([&](Range& r) { r.offset[d] = 0; });
      try_range([&](Range& r) { r.local[d] = r.global[d] = 1; });
      try_range([&](Range& r) { r.global[d] = std::min(r.global[d], r.local[d]); });
      try_range([&](Range& r) { r.global[d] = r.global[d] / r.local[d] * r.local[d]; });
      for (std::size_t size : {1, 2, 3, 4, 5, 8, 9, 16, 17, 32})
        if (size < range().local[d]) try_range([&](Range& r) { r.local[d] = r.global[d] = size; });
      while (range().global[d] > 1 &&
             (try_range([&](Range& r) { r.global[d] /= 2; }) ||
              try_range([&](Range& r) { r.global[d] -= std::min(r.global[d], r.local[d]); }) ||
              try_range([&](Range& r) { --r.global[d]; }))) {
      }
    }
    try_range([](Range& r) {
      if (r.global[2] == 1) r.dimensions = r.global[1] == 1 ? 1 : 2;
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
