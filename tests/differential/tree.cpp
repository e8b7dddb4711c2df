#include "differential/tree.hpp"

#include <algorithm>

namespace differential {

namespace {

void append(std::string& text, const Node& tree) {
  if (tree.kind == Node::Kind::list) {
    for (const Node& child : tree.children) {
      append(text, child);
      text += '\n';
    }
    return;
  }
  for (std::size_t i = 0; i < tree.form.size(); ++i) {
    if (tree.form[i] != '$')
      text += tree.form[i];
    else
      append(text, tree.children.at(static_cast<std::size_t>(tree.form[++i] - '0')));
  }
}

} // namespace

bool has_jump(const Node& tree) {
  return tree.is_jump || std::any_of(tree.children.begin(), tree.children.end(), has_jump);
}

std::size_t size_of(const Node& tree) {
  std::size_t size = 1;
  for (const Node& child : tree.children)
    size += size_of(child);
  return size;
}

std::string print(const Node& tree) {
  std::string flat, result;
  append(flat, tree);
  int depth = 0;
  for (std::size_t begin = 0; begin < flat.size();) {
    std::size_t end = flat.find('\n', begin);
    if (end == std::string::npos) end = flat.size();
    std::string line = flat.substr(begin, end - begin);
    begin = end + 1;
    line.erase(0, line.find_first_not_of(' '));
    if (line.empty()) continue;
    auto closing = static_cast<int>(
        line.find_first_not_of('}') == std::string::npos ? line.size() : line.find_first_not_of('}'));
    auto count = [&](char c) { return static_cast<int>(std::count(line.begin(), line.end(), c)); };
    result.append(static_cast<std::size_t>(std::max(0, 2 * (depth - closing))), ' ');
    result += line + '\n';
    depth += count('{') - count('}');
  }
  return result;
}

} // namespace differential
