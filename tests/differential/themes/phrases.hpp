#pragma once

// Texts with choices, for statements that are one shape with many variants:
//
//   {"sum", {"for (uint #k = 0; #k < @count; ++#k) s += in32[#k * n + i];", "s += in32[@count];"}},
//   {"count", {"7", "(m + 2)"}}
//
// `@count` stands for one of the texts of the rule `count`, chosen anew each time. `#k` stands for a name that no other
// variable has: the same in all of the text that mentions it first, and in the texts of rules in there. Kernels that are
// reduced keep what the rules say of their texts.

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

  /// Texts of a rule that is known are added to those that it has.
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
  std::map<std::string, unsigned> chosen_; ///< numbers of texts that are used once
};

} // namespace differential
