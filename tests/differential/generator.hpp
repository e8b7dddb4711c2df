#pragma once

// Random kernels without undefined behaviour, whose results do not depend on the order of work-items.

#include "differential/case.hpp"

#include <initializer_list>
#include <random>
#include <span>
#include <utility>

namespace differential {

/// OpenCL C's scalar and vector types.
struct Type {
  const char* scalar;
  unsigned bits;
  char kind;          ///< 's'igned, 'u'nsigned or 'f'loating
  unsigned count = 1; ///< elements

  std::string name() const { return scalar + (count == 1 ? std::string() : std::to_string(count)); }
  bool is_float() const { return kind == 'f'; }
  bool operator==(const Type& other) const { return name() == other.name(); }
};

Type scalar_type(std::string_view name);

class Generator {
public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}
  Case make();

private:
  struct Variable {
    std::string name;
    Type type;
    bool is_uniform = false;
    bool is_constant = false; ///< not to be assigned to
  };
  struct Array {
    std::string name;
    Type type;
    unsigned mask; ///< size - 1
  };
  enum class Flow { uniform, divergent };

  // --- Choices
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class T>
  const T& pick(std::span<const T> from) {
    return from[below(static_cast<unsigned>(from.size()))];
  }
  std::string any_of(std::initializer_list<const char*> texts) {
    return texts.begin()[below(static_cast<unsigned>(texts.size()))];
  }
  std::string fresh(const char* stem) { return stem + std::to_string(++names_); }
  Type any_scalar(bool with_float = true);
  Type any_integer();

  // --- expressions.cpp
  Node expression(Type type, unsigned depth = 0, bool is_uniform = false);
  Node condition(unsigned depth = 0, bool is_uniform = false);
  Node leaf(Type type, bool is_uniform);
  Node literal(Type type);
  Node memory_read(Type type);
  Node integer_operation(Type type, unsigned depth, bool is_uniform);
  Node built_in(Type type, unsigned depth, bool is_uniform);
  Node float_operation(Type type, unsigned depth, bool is_uniform);
  Node vector_expression(Type type, unsigned depth, bool is_uniform);
  Node conversion(Type type, unsigned depth, bool is_uniform);
  /// An index into what has 4 * n + 64 elements.
  Node index();
  Node index_form();
  Node typed(Type type, bool is_uniform, Node tree) const;
  Node small(unsigned mask, bool is_uniform = false);

  // --- statements.cpp
  Node block(Flow flow, unsigned length);
  Node any_statement(Flow flow);
  Node divergent_statement();
  Node simple_statement();
  Node assignment();
  Node store();
  Node pointer_statement();
  Node nested(Flow flow);
  Node loop(Flow flow);
  Node choice(Flow flow);
  Node jumping(Flow flow);
  Node global_atomic();
  Node local_atomic();
  Node cas_loop();
  Node call_statement();
  Node structure_statement();

  // --- groups.cpp
  Node uniform_statement();
  Node exchange();
  Node tree_reduction();
  Node copy();
  Node collective();
  Node sub_group();
  Node uniform_assignment();

  // --- kernel.cpp
  Geometry geometry();
  Node declarations(unsigned count);
  Node declaration(const Variable& variable, Node value);
  Node helper_functions();
  Node function();
  Node digest();
  void declare_structures(Node& variables);

  std::mt19937_64 random_;
  unsigned names_ = 0;
  unsigned depth_ = 0;  ///< of statements
  unsigned budget_ = 0; ///< statements left
  unsigned expression_depth_ = 3;
  unsigned loops_ = 0; ///< around this statement
  unsigned dimensions_ = 1;
  bool in_loop_ = false;     ///< a jump would leave the innermost loop of this control flow
  bool may_return_ = false;  ///< no barrier follows
  bool in_function_ = false; ///< no buffers at hand
  bool uses_sub_groups_ = false, uses_half_ = false;
  Type result_type_ = {"int", 32, 's'}; ///< of the function that is being made
  std::vector<Variable> variables_;
  std::vector<Array> arrays_;
  std::vector<std::string> histograms_, structures_;
  std::vector<std::pair<std::string, Type>> functions_;
};

} // namespace differential
