#pragma once

// Random statements from rules. A rule is a name and several texts, one of which is chosen at random:
//
//   {"sum", {"for (uint #k = 0; #k < @count; ++#k) s += in32[#k * n + i];", "s += in32[@count];"}},
//   {"count", {"7", "(m + 2)"}}
//
// `@count` is replaced by a text of the rule `count`, which is chosen anew at each mention. `#k` is replaced by the name of a
// new variable. The name is the same everywhere in the text that mentions `#k` first, and in the texts that replace rules
// in that text. Rule::Use says what the reduction of a failing kernel may do with the rule's text.

#include "differential/tree.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace differential {

struct Rule {
  enum class Use {
    text,      ///< stays as it is
    once,      ///< stays as it is, and is the same text wherever a statement mentions it
    condition, ///< may become true or false
    statement, ///< may be left out
  };
  const char* name;
  std::vector<std::string> texts;
  Use use = Use::text;
};
using Rules = std::vector<Rule>;

class Phrases {
public:
  /// @param below a random number less than its argument
  /// @param fresh a name that begins with its argument
  Phrases(std::function<unsigned(unsigned)> below, std::function<std::string(const char*)> fresh)
      : below_(std::move(below)), fresh_(std::move(fresh)) {}

  /// Adds rules. If there is a rule of the same name, its texts are extended.
  void add(const Rules& rules);
  void let(const char* name, const std::string& text) { rules_[name] = {name, {text}}; }

  /// A statement that begins with one of the rule's texts.
  Node statement(const std::string& rule);

private:
  struct Scope {
    Scope* outer;
    std::map<std::string, std::string> names;
  };
  std::string name_of(const std::string& stem, Scope& scope);
  Node expand(const std::string& rule, Scope& outer);
  Node expand_text(const std::string& text, Scope& scope);

  std::function<unsigned(unsigned)> below_;
  std::function<std::string(const char*)> fresh_;
  std::map<std::string, Rule> rules_;
  std::map<std::string, unsigned> chosen_; ///< the chosen text, by rule (Rule::Use::once)
};

} // namespace differential
