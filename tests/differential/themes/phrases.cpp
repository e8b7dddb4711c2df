#include "differential/themes/phrases.hpp"

#include <cctype>
#include <stdexcept>

namespace differential {

namespace {

constexpr std::size_t most_children = 10; ///< of a node, for which its text has placeholders

std::string word_at(const std::string& text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
    ++end;
  return text.substr(begin, end - begin);
}

} // namespace

void Phrases::add(const Rules& rules) {
  for (const Rule& rule : rules) {
    auto [known, is_new] = rules_.emplace(rule.name, rule);
    if (!is_new) known->second.texts.insert(known->second.texts.end(), rule.texts.begin(), rule.texts.end());
  }
}

Node Phrases::statement(const std::string& rule) {
  Scope scope{nullptr, {}};
  chosen_.clear();
  return differential::statement("$0", expand(rule, scope));
}

std::string Phrases::name_of(const std::string& stem, Scope& scope) {
  for (const Scope* each = &scope; each; each = each->outer)
    if (const auto known = each->names.find(stem); known != each->names.end()) return known->second;
  return scope.names[stem] = fresh_(stem.c_str());
}

Node Phrases::expand(const std::string& name, Scope& outer) {
  const auto found = rules_.find(name);
  if (found == rules_.end()) throw std::invalid_argument("no rule is called " + name);
  const Rule& rule = found->second;
  unsigned number = below_(static_cast<unsigned>(rule.texts.size()));
  if (rule.use == Rule::Use::once) number = chosen_.emplace(name, number).first->second;
  Scope scope{&outer, {}};
  Node result = expand_text(rule.texts[number], scope);
  if (rule.use == Rule::Use::statement) {
    result.kind = Node::Kind::statement;
    return list(std::move(result));
  }
  if (rule.use != Rule::Use::condition) return result;
  if (result.children.empty()) result.children.push_back(node(Node::Kind::text, "")); // no literal yet
  result.kind = Node::Kind::expression;
  result.type = "bool";
  result.form = "(" + result.form + ")";
  return result;
}

Node Phrases::expand_text(const std::string& text, Scope& scope) {
  Node result = node(Node::Kind::text, "");
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '@' && text[at] != '#') {
      result.form += text[at];
      continue;
    }
    const std::string word = word_at(text, at + 1);
    if (text[at] == '#') {
      result.form += name_of(word, scope);
    } else if (Node part = expand(word, scope); part.kind == Node::Kind::text && part.children.empty()) {
      result.form += part.form;
    } else {
      if (result.children.size() == most_children) throw std::length_error("too many choices: " + text);
      result.form += "$" + std::to_string(result.children.size());
      result.children.push_back(std::move(part));
    }
    at += word.size();
  }
  return result;
}

} // namespace differential
