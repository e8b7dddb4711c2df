#pragma once

// A kernel as a tree of text with holes. What makes a form safe (a masked index, a divisor that is not zero,
// a bounded loop) is part of its text, so that any tree of the right kinds is a kernel without undefined
// behaviour, also one that the reducer has cut down.

#include <cstdint>
#include <string>
#include <vector>

namespace differential {

struct Node {
  enum class Kind : std::uint8_t {
    text,       ///< stays as it is
    list,       ///< children in a row, each may be left out
    statement,  ///< an element of a list
    expression, ///< may become another expression of the same type
  };
  Kind kind = Kind::text;
  std::string form; ///< $0 to $9 are the children
  std::string type; ///< of an expression: the language's name; "bool" for what only stands in conditions
  bool is_uniform = false; ///< an expression that must be the same for all work-items of a group
  bool is_jump = false;    ///< leaves the loop around it, which therefore has to stay
  bool is_pinned = false;  ///< must not be left out
  std::vector<Node> children;
};

template <class... Children>
Node node(Node::Kind kind, std::string form, Children... children) {
  Node result{kind, std::move(form), {}, false, false, false, {}};
  (result.children.push_back(std::move(children)), ...);
  return result;
}
template <class... Children>
Node statement(std::string form, Children... children) {
  return node(Node::Kind::statement, std::move(form), std::move(children)...);
}
template <class... Children>
Node list(Children... children) {
  return node(Node::Kind::list, {}, std::move(children)...);
}

bool has_jump(const Node& tree);
std::size_t size_of(const Node& tree);

/// The kernel's text, indented.
std::string print(const Node& tree);

} // namespace differential
