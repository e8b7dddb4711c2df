// The kernel as a whole: its parameters, variables and parts.

#include "differential/generator.hpp"

#include <algorithm>

namespace differential {

namespace {

struct Parameter {
  const char *type, *name;
};

constexpr Parameter parameters[] = {{"read_only image2d_t", "picture"},
                                    {"read_only image2d_t", "field"},
                                    {"write_only image2d_t", "drawn"},
                                    {"read_only pipe uint", "source"},
                                    {"write_only pipe uint", "sink"},
                                    {"global uint*", "locks"},
                                    {"global uint*", "guarded"},
                                    {"global uint*", "sums"},
                                    {"global float*", "sumsf"},
                                    {"global uint*", "turned"},
                                    {"global const int*", "in32"},
                                    {"global const uchar*", "in8"},
                                    {"global const long*", "in64"},
                                    {"global const float*", "inf"},
                                    {"global int*", "out32"},
                                    {"global uchar*", "out8"},
                                    {"global ulong*", "out64"},
                                    {"global float*", "outf"},
                                    {"global uint*", "cells"},
                                    {"global ulong*", "cells64"},
                                    {"global uchar*", "raw"},
                                    {"global uint*", "bins"},
                                    {"global uint*", "claims"},
                                    {"global uchar*", "log8"},
                                    {"global uint*", "log32"},
                                    {"global ulong*", "log64"},
                                    {"global uint*", "counts"},
                                    {"global ulong*", "result"},
                                    {"struct parts", "given"},
                                    {"int4", "given4"},
                                    {"global uint*", "over0"},
                                    {"global uint*", "over1"},
                                    {"global uint*", "over2"},
                                    {"global uint*", "over3"},
                                    {"int", "at0"},
                                    {"int", "at1"},
                                    {"int", "at2"},
                                    {"int", "at3"},
                                    {"global const uint*", "far32"},
                                    {"global const uchar*", "far8"},
                                    {"global uint*", "made"},
                                    {"global uint*", "tally"},
                                    {"local uint*", "exchange"},
                                    {"local uint*", "pairs"},
                                    {"int", "per"},
                                    {"uint", "unit"},
                                    {"uint", "m"}};

/// Those that the text mentions, and `n`, which ends the list.
/// @param qualifier of all pointers, each to memory of its own
Node parameter_list(const std::string& text, const std::string& qualifier) {
  Node result = list();
  for (const Parameter& parameter : parameters)
    if (mentions(text, parameter.name)) {
      const std::string type = parameter.type;
      result.children.push_back(
          statement(type + (type.ends_with("*") ? qualifier : "") + " " + parameter.name + ","));
    }
  return result;
}

} // namespace

bool mentions(const std::string& text, const std::string& word) {
  auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_part(text[at - 1]) || !is_part(word.front());
    if (begins && (end == text.size() || !is_part(text[end]) || !is_part(word.back()))) return true;
  }
  return false;
}

Node Generator::declaration(const Variable& variable, Node value) {
  return statement((variable.is_volatile ? "volatile " : "") + variable.type.name() + " " + variable.name +
                       " = $0;",
                   std::move(value));
}

Node Generator::declarations(unsigned count) {
  Node result = list();
  for (unsigned i = 0; i < count; ++i) {
    Variable variable{fresh("v"), any_scalar()};
    if (chance(25)) variable.type.count = chance(70) ? 4 : chance(50) ? 2 : chance(50) ? 3 : 8;
    variable.is_volatile = variable.type.count == 1 && chance(6);
    result.children.push_back(declaration(variable, expression(variable.type, 2)));
    variables_.push_back(variable);
  }
  return result;
}

/// Members serve as variables and arrays.
void Generator::declare_structures(Node& variables) {
  for (unsigned count = 1 + below(2); count > 0; --count) {
    std::string name = fresh("s");
    variables.children.push_back(statement("struct parts " + name + " = {$0, {1, 2, 3, 4}, $1};",
                                           expression(scalar_type("int"), 2),
                                           expression(scalar_type("long"), 2)));
    variables_.push_back({name + ".a", scalar_type("int")});
    variables_.push_back({name + ".c", scalar_type("long")});
    arrays_.push_back({name + ".b", scalar_type("uchar"), 3});
    structures_.push_back(name);
  }
}

Node Generator::array() {
  Array array{fresh("t"), any_scalar(), pick({1u, 3u, 3u, 7u, 7u, 15u}), chance(8)};
  if (!arrays_.empty() && chance(50)) array.type = arrays_[0].type;
  std::string q = fresh("q"), size = std::to_string(array.mask + 1);
  Node fill = statement((array.is_volatile ? "volatile " : "") + array.type.name() + " " + array.name + "[" +
                        size + "];\nfor (int " + q + " = 0; " + q + " < " + size + "; ++" + q + ") " +
                        array.name + "[" + q + "] = (" + array.type.name() + ")(" + q + " * 3 + i);");
  arrays_.push_back(array);
  return fill;
}

Node Generator::variables(bool is_large) {
  Node result = list();
  for (unsigned u = chance(70) ? 1 : 2; u > 0; --u) {
    Variable variable{fresh("u"), any_integer(), true};
    result.children.push_back(declaration(variable, expression(variable.type, 2, true)));
    variables_.push_back(variable);
  }
  Node more = declarations(is_large ? 3 + below(5) : 1 + below(budget_));
  std::move(more.children.begin(), more.children.end(), std::back_inserter(result.children));
  for (unsigned a = chance(50) ? 0 : 1 + below(2); a > 0; --a)
    result.children.push_back(array());
  if (chance(theme_ == Theme::calls ? 70 : 10)) declare_structures(result);
  return result;
}

/// All variables' last values, in one number.
Node Generator::digest() {
  Node result = list();
  auto add = [&](const std::string& value, Type type) {
    const Type element = type.element();
    std::string form;
    const unsigned step = type.count > 4 ? 1 + below(type.count - 1) : 1;
    for (unsigned c = 0; c < type.count; c += step)
      form += "h = mix(h, bits((" + (element.is_float() ? element.name() : "ulong") + ")" + value +
              (type.count > 1 ? ".s" + std::string(1, "0123456789abcdef"[c]) : "") + "));";
    return form;
  };
  for (const Variable& variable : variables_)
    if (!variable.is_constant) result.children.push_back(statement(add(variable.name, variable.type)));
  for (const Array& array : arrays_) {
    if (array.mask <= 3 || chance(20))
      result.children.push_back(statement("for (int q = 0; q <= " + std::to_string(array.mask) + "; ++q) " +
                                          add(array.name + "[q]", array.type)));
    else
      for (const char* at : {"i", "n"})
        result.children.push_back(
            statement(add(array.name + "[" + at + " & " + std::to_string(array.mask) + "]", array.type)));
  }
  return result;
}

/// The number of the work-item, by which it has places in buffers. Rows may be counted last, as columns, and
/// backwards.
std::string Generator::linear_id() {
  row_step_ = "1";
  if (dimensions_ == 1 && !has_offset_ && chance(80)) {
    if (chance(85)) return "get_global_id(0)";
    row_step_ = "-1";
    return "get_global_size(0) - 1 - get_global_id(0)";
  }
  if (dimensions_ == 1 || chance(60)) return "get_global_linear_id()";
  row_step_ = "(int)(get_global_size(1) * get_global_size(2))";
  return has_offset_ ? "((get_global_id(0) - get_global_offset(0)) * get_global_size(1) + get_global_id(1) - "
                       "get_global_offset(1)) * get_global_size(2) + get_global_id(2) - get_global_offset(2)"
                     : "(get_global_id(0) * get_global_size(1) + get_global_id(1)) * get_global_size(2) + "
                       "get_global_id(2)";
}

/// What stands for the place of the work-item, and local memory.
void Generator::declare_constants() {
  auto add = [&](const char* name, std::string declaration) {
    constants_.push_back({name, std::move(declaration)});
  };
  auto known = [&](const char* name, bool is_uniform, const std::string& value) {
    add(name, std::string("const int ") + name + " = " + value + ";");
    variables_.push_back({name, scalar_type("int"), is_uniform, true});
  };
  auto place = [&](const std::string& d) {
    return "(int)(get_global_id(" + d + ")" + (has_offset_ ? " - get_global_offset(" + d + ")" : "") + ")";
  };
  add("id", "const size_t id = " + linear_id() + ";");
  known("i", false, "(int)(" + linear_id() + ")");
  variables_.push_back({"n", scalar_type("int"), true, true});
  variables_.push_back({"m", scalar_type("uint"), true, true});
  add("slot", "const int slot = " +
                  any_of({"i", "i", "n - 1 - i", "i ^ 1", "i ^ (int)(m & 3u)", "i ^ (in32[3] & 31)",
                          "(i + 3) % n", "i ^ 7"}) +
                  ";");
  add("left", "int left = 3;");
  known("gx", false, "(int)get_global_id(0)");
  if (dimensions_ > 1) {
    known("x", false, place("0"));
    known("y", false, place("1"));
    known("sx", true, "(int)get_global_size(0)");
    known("sy", true, "(int)get_global_size(1)");
  }
  if (chance(20)) variables_.push_back({"given4", {"int", 32, 's', 4}, true, true});
  if (chance(20)) variables_.push_back({"given.c", scalar_type("long"), true, true});
  if (!sees_groups_) return;
  known("lid", false, "(int)get_local_linear_id()");
  known("lsize", true, "(int)(get_local_size(0) * get_local_size(1) * get_local_size(2))");
  known("lx", false, "(int)get_local_id(0)");
  known("group", true, "(int)(get_group_id(0) + get_group_id(1) * 3 + get_group_id(2) * 7)");
  add("neighbour", "const int neighbour = i + ((int)((get_local_id(0) + 1) % get_local_size(0)) - "
                   "(int)get_local_id(0)) * " +
                       row_step_ + ";");
  add("wide", std::string(chance(5) ? "volatile " : "") + "local short4 wide[256];");
  add("kept", "local uint kept[258];");
  add("scratch", "local ulong scratch[256];");
  add("tickets", "local uint tickets[8];\nfor (int q = lid; q < 8; q += lsize) tickets[q] = "
                 "0;\nbarrier(CLK_LOCAL_MEM_FENCE);");
}

/// Declarations of the constants that the text mentions.
Node Generator::constants(const std::string& text) const {
  std::string all = text + " i ";
  std::vector<Node> reversed;
  for (auto constant = constants_.rbegin(); constant != constants_.rend(); ++constant)
    if (mentions(all, constant->name)) {
      all += constant->declaration;
      reversed.push_back(statement(constant->declaration));
      reversed.back().is_pinned = constant->name == "i";
    }
  Node result = list();
  std::move(reversed.rbegin(), reversed.rend(), std::back_inserter(result.children));
  return result;
}

Node Generator::with_histogram(Node body) {
  const std::string name = histograms_.back();
  histograms_.clear();
  return statement(
      "local uint " + name +
          "[16];\nfor (int q = (int)get_local_linear_id(); q < 16; q += "
          "(int)(get_local_size(0) * get_local_size(1) * get_local_size(2))) " +
          name +
          "[q] = 0;\nbarrier(CLK_LOCAL_MEM_FENCE);\n$0\nbarrier(CLK_LOCAL_MEM_FENCE);\nfor (int q = "
          "(int)get_local_linear_id(); q < 16; q += (int)(get_local_size(0) * get_local_size(1) * "
          "get_local_size(2))) atomic_add(&cells[HISTOGRAM * 8 + q], " +
          name + "[q]);",
      std::move(body));
}

Generator::Body Generator::body(bool is_large, bool is_tiny) {
  budget_ = is_tiny ? 2 : 3; // of variables
  Body result{variables(is_large), list(), list()};
  if (chance(sees_groups_ ? 30 : 8)) histograms_.push_back(fresh("histogram"));
  const bool has_histogram = !histograms_.empty();
  budget_ = is_large ? 10 + below(14) : is_tiny ? 1 + below(3) : 2 + below(5);
  Node statements = block(Flow::uniform, is_tiny ? 1 + below(2) : 2 + below(6));
  if (has_histogram)
    result.uniform.children.push_back(with_histogram(std::move(statements)));
  else
    result.uniform = std::move(statements);
  may_return_ = !uses_sub_groups_;
  budget_ = is_large ? 1 + below(12) : is_tiny ? below(2) : 1 + below(4);
  result.tail = block(Flow::divergent, 1 + below(3));
  may_return_ = false;
  return result;
}

/// A few statements of the theme, which nothing else keeps from being compiled in the way that suits them.
Generator::Body Generator::theme_alone() {
  Body result{list(), list(), list()};
  depth_ = 1;
  for (unsigned count = 1 + below(3); count > 0; --count)
    result.uniform.children.push_back((this->*named_->statement)());
  depth_ = 0;
  return result;
}

Case Generator::make() {
  // Most kernels are small: what goes wrong seldom takes much, and compiling is what takes the time.
  const unsigned size = below(100);
  const bool is_large = size < 3, is_tiny = size >= 35;
  expression_depth_ = is_large ? 3 : chance(is_tiny ? 25 : 50) ? 2 : 1;
  theme_ = named_ ? Theme::named
           : chance(45)
               ? Theme::all
               : pick({Theme::assignments, Theme::memory, Theme::views, Theme::views, Theme::atomics,
                       Theme::logs, Theme::logs, Theme::calls, Theme::groups, Theme::groups, Theme::edges});
  uses_sub_groups_ = (chance(8) && !named_) || has_sub_groups();
  sees_groups_ = uses_sub_groups_ || theme_ == Theme::groups || chance(has_grids() ? 8 : 45) ||
                 (named_ && named_->sees_groups);
  uses_half_ = has_products() ? chance(40) : !named_ && chance(10);
  record_bytes_ = named_ ? 64 : pick({64u, 64u, 16u, 24u, 12u, 23u, 40u});
  Case result{has_overlaps() ? overlapping(launches()) : launches(), {}};

  Node functions_part = functions();
  declare_constants();
  const bool is_alone = named_ && chance(named_->alone);
  auto [variables_part, uniform_part, tail] = is_alone ? theme_alone() : body(is_large, is_tiny);

  Node digest_part = digest();
  const std::string leaves = "result[" + place_ + "] = h;";
  const std::string code =
      print(functions_part) + print(variables_part) + print(uniform_part) + print(tail) + print(digest_part);
  Node constants_part = constants(code + leaves);
  const std::string text = code + print(constants_part) + leaves;
  Node parameters_part = parameter_list(text, has_hints() && chance(60) ? " restrict" : "");
  Node helpers = helper_functions(text + print(parameters_part));
  result.kernel = node(Node::Kind::text,
                       "#pragma OPENCL FP_CONTRACT OFF\n$0\n$1\n$2\nkernel void test(\n$3\nint n) "
                       "{\n$4\n$5\n$6\n$7\nout:;\nulong h = 0;\n$8\n" +
                           leaves + "\n}",
                       std::move(helpers), std::move(functions_part), attributes(result.launches),
                       std::move(parameters_part), std::move(constants_part), std::move(variables_part),
                       std::move(uniform_part), std::move(tail), std::move(digest_part));
  return result;
}

} // namespace differential
