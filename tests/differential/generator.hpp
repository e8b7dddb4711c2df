#pragma once

// Random kernels without undefined behaviour, whose results do not depend on the order of work-items.
//
// A kernel either uses its work-groups (barriers, local ids, collective functions), or could not tell how the
// range is divided; then it is also launched with local sizes of the driver's choice.

#include "differential/case.hpp"
#include "differential/themes/phrases.hpp"

#include <initializer_list>
#include <map>
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
  Type element() const { return {scalar, bits, kind}; }
  unsigned bytes() const { return bits / 8 * count; }
  bool operator==(const Type& other) const { return name() == other.name(); }
};

Type scalar_type(std::string_view name);

/// A conversion's spelling: casts between vectors do not exist.
std::string convert(Type to, const std::string& what);

/// Whether the text has the word.
bool mentions(const std::string& text, const std::string& word);

template <class... Children>
Node expression_node(std::string form, Children... children) {
  return node(Node::Kind::expression, std::move(form), std::move(children)...);
}

class Generator {
public:
  /// @param theme one of theme_names(), or empty for a kernel of the first themes, by the seed
  explicit Generator(std::uint64_t seed, const std::string& theme = {});
  Case make();

  static std::vector<std::string> theme_names();

private:
  struct Variable {
    std::string name;
    Type type;
    bool is_uniform = false;
    bool is_constant = false; ///< not to be assigned to
    bool is_volatile = false;
  };
  struct Array {
    std::string name;
    Type type;
    unsigned mask; ///< size - 1
    bool is_volatile = false;
  };
  struct Function {
    enum class Kind { of_value, of_pointer, of_array, of_structure, of_buffer } kind;
    std::string name;
    Type type; ///< of the result and of what it works on
  };
  enum class Flow { uniform, divergent };
  /// What most statements of a kernel are, so that they meet each other.
  enum class Theme { all, assignments, memory, views, atomics, logs, calls, groups, edges, named };
  /// A theme that is asked for by its name.
  struct NamedTheme {
    const char* name;
    Node (Generator::*statement)();
    bool sees_groups;   ///< always; otherwise by lot
    bool is_uniform;    ///< its statements have barriers
    unsigned alone = 0; ///< percent of kernels that have nothing but its statements
  };
  static std::span<const NamedTheme> named_themes();

  // --- Choices
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class T>
  const T& pick(std::span<const T> from) {
    return from[below(static_cast<unsigned>(from.size()))];
  }
  template <class T>
  T pick(std::initializer_list<T> from) {
    return from.begin()[below(static_cast<unsigned>(from.size()))];
  }
  std::string any_of(std::initializer_list<const char*> texts) { return pick(texts); }
  std::string number(unsigned limit) { return std::to_string(below(limit)); }
  std::string fresh(const char* stem) { return stem + std::to_string(++names_); }
  Type any_scalar(bool with_float = true);
  Type any_integer();
  /// A variable that may be assigned to and that `suits`, or null.
  template <class Predicate>
  const Variable* target(Predicate suits);

  // --- expressions.cpp
  Node expression(Type type, unsigned depth = 0, bool is_uniform = false);
  Node condition(unsigned depth = 0, bool is_uniform = false);
  Node leaf(Type type, bool is_uniform);
  Node literal(Type type);
  Node integer_operation(Type type, unsigned depth, bool is_uniform);
  Node built_in(Type type, unsigned depth, bool is_uniform);
  Node float_operation(Type type, unsigned depth, bool is_uniform);
  Node vector_expression(Type type, unsigned depth, bool is_uniform);
  Node conversion(Type type, unsigned depth, bool is_uniform);
  Node typed(Type type, bool is_uniform, Node tree) const;
  Node small(unsigned mask, bool is_uniform = false);

  // --- edges.cpp
  Node guarded_statement();
  std::string guarded_neighbours(const std::string& out);
  std::string guarded_at_edge(const std::string& out);
  std::string guarded_mask(const std::string& out);
  std::string coordinates(const std::string& out);

  // --- reads.cpp
  /// An index into what has 4 * n + 64 elements.
  Node index();
  Node index_form();
  Node distance();
  Node plain_index();
  Node odd_index();
  Node grid_index();
  Node memory_read(Type type);
  Node table_read(Type type);

  // --- views.cpp
  /// The name of a type for memory that other types are written to, of less alignment than it would have.
  std::string view(Type type, unsigned alignment);
  Type any_viewed();
  Node view_read(Type type);
  Node view_reads();
  Node view_writes();
  Node private_views();

  // --- statements.cpp
  Node block(Flow flow, unsigned length);
  Node any_statement(Flow flow);
  Node divergent_statement();
  Node simple_statement();
  Node statement_of(Theme theme);
  Node assignment();
  Node assignment_to(const Variable& variable);
  Node store();
  Node pointer_statement();
  Node nested(Flow flow);
  Node loop(Flow flow);
  Node jump_loop(const std::string& counter, const std::string& bound, Node test, Node body, bool uniform);
  Node choice(Flow flow);
  Node jumping(Flow flow);
  Node structure_statement();
  Node row_sum();

  // --- atomics.cpp
  Node atomic_statement();
  Node global_atomic();
  Node explicit_atomic();
  Node used_result();
  Node exchange_result();
  Node own_atomic();
  Node shared_bins();
  Node local_atomic();
  Node cas_loop();
  Node claim();
  Node append();

  // --- functions.cpp
  Node helper_functions(const std::string& text);
  Node functions();
  Node function();
  Node call_statement();
  Node call(Type type, unsigned depth, bool is_uniform);

  // --- groups.cpp
  Node uniform_statement();
  Node group_statement();
  Node exchange();
  Node tree_reduction();
  Node copy();
  Node compaction();
  Node collective();
  Node sub_group();
  Node unset_variable();
  std::string group_query();
  Node uniform_assignment();

  // --- themes/, a file for each
  Node unset();
  Node walk();
  Node layout();
  Node linked();
  Node pointers();
  Node packed();
  Node overlay();
  Node swizzle();
  Node narrow();
  Node narrow_loop();
  Node jumps();
  Node state_machine();
  Node unrolled_switch();
  Node structure();
  Node hinted();
  bool has_hints() const { return named_ && named_->statement == &Generator::hinted; }
  Node sub_groups();
  Launches sub_group_launches();
  bool has_sub_groups() const { return named_ && named_->statement == &Generator::sub_groups; }
  Node overlap();
  Launches overlapping(Launches launches);
  bool has_overlaps() const { return named_ && named_->statement == &Generator::overlap; }
  Node grid();
  Node grid_updates();
  Launches grid_launches();
  bool has_grids() const { return named_ && named_->statement == &Generator::grid; }
  Node query();
  bool has_queries() const { return named_ && named_->statement == &Generator::query; }
  std::string crossed_start();
  Node lock();
  bool has_locks() const { return named_ && named_->statement == &Generator::lock; }
  Node kept_ticket();
  Node graph();
  Node graph_of(bool is_uniform);
  Node meeting(const std::string& word);
  Node way_on(const std::string& word, const std::string& stem, unsigned blocks);
  Phrases phrases(const Rules& own);
  std::string part_of_made();
  std::string local_array(const std::string& type, unsigned size);
  Node strides();
  Phrases table_phrases(bool is_local);
  Node filled_table();
  Node exits();
  Node iterations();
  Node reduction();
  Node product();
  bool has_products() const { return named_ && named_->statement == &Generator::product; }
  Node image();
  Node through_pipe();
  Node child();
  /// Adds the value, a number of 64 bits, to what the work-item leaves.
  std::string leave(const std::string& value);
  std::string declared(const std::string& name, const std::string& text);

  // --- ranges.cpp
  Launches launches();
  Range range(unsigned dimensions, bool has_offset);
  void choose_local(Range& range, std::size_t room);
  void choose_required_size();
  Node attributes(const Launches& launches);

  // --- kernel.cpp
  struct Constant {
    std::string name, declaration;
  };
  std::string linear_id();
  void declare_constants();
  Node constants(const std::string& text) const;
  Node declarations(unsigned count);
  Node declaration(const Variable& variable, Node value);
  Node variables(bool is_large);
  Node array();
  Node digest();
  struct Body {
    Node variables, uniform, tail;
  };
  Body body(bool is_large, bool is_tiny);
  Body theme_alone();
  Node with_histogram(Node body);
  void declare_structures(Node& variables);

  std::mt19937_64 random_;
  unsigned names_ = 0;
  unsigned depth_ = 0;  ///< of statements
  unsigned budget_ = 0; ///< statements left
  unsigned expression_depth_ = 3;
  unsigned loops_ = 0;       ///< around this statement
  unsigned dimensions_ = 1;  ///< most of any range
  bool has_offset_ = false;  ///< some range
  bool in_loop_ = false;     ///< a jump would leave the innermost loop of this control flow
  bool may_return_ = false;  ///< no barrier follows
  bool in_function_ = false; ///< no buffers at hand
  bool sees_groups_ = false, uses_sub_groups_ = false, uses_half_ = false;
  Theme theme_ = Theme::all;
  const NamedTheme* named_ = nullptr;
  std::array<std::size_t, 3> required_size_{}; ///< of groups; 0: any
  std::string place_ = "i";                    ///< of the work-item, in loops over rows: of 32 bits or of 64
  unsigned required_lanes_ = 0;                ///< of sub-groups; 0: any
  bool has_entered_loops_ =
      false; ///< loops with several entries, which have no vectors where they are nested
  Type result_type_ = {"int", 32, 's'};      ///< of the function that is being made
  std::string bins_operation_, claims_form_; ///< one for each kernel, as others would not commute
  unsigned record_bytes_ = 64;               ///< of a work-item in `raw`
  unsigned direct_appends_[3] = {};          ///< statements, by log
  static constexpr unsigned most_made_parts = 4;
  unsigned made_parts_ = 0; ///< parts of `made` that belong to statements
  std::vector<Variable> variables_;
  std::vector<Array> arrays_;
  std::vector<std::string> histograms_, structures_;
  std::vector<Function> functions_;
  std::vector<Constant> constants_;
  std::string row_step_ = "1";               ///< from a work-item's number to the next one's along x
  std::map<std::string, std::string> views_; ///< declarations by name
};

template <class Predicate>
const Generator::Variable* Generator::target(Predicate suits) {
  std::vector<const Variable*> targets;
  for (const Variable& variable : variables_)
    if (!variable.is_constant && !variable.is_uniform && suits(variable)) targets.push_back(&variable);
  return targets.empty() ? nullptr : targets[below(static_cast<unsigned>(targets.size()))];
}

} // namespace differential
