// The OpenCL C of a case.

#include "conformance/atomics/case.hpp"

namespace conformance {
namespace {

constexpr const char* function_names[] = {
    "init",
    "store",
    "load",
    "exchange",
    "compare_exchange_strong",
    "compare_exchange_weak",
    "fetch_add",
    "fetch_sub",
    "fetch_or",
    "fetch_xor",
    "fetch_and",
    "fetch_min",
    "fetch_max",
    "flag_test_and_set",
    "flag_clear",
};

/// Extensions that a version needs a pragma for.
std::string pragmas(const Case& test) {
  std::string text;
  const auto enable = [&](const char* name) {
    text += std::string("#ifdef ") + name + "\n#pragma OPENCL EXTENSION " + name + " : enable\n#endif\n";
  };
  if (test.type.size == 8) {
    enable("cl_khr_int64_base_atomics");
    enable("cl_khr_int64_extended_atomics");
  }
  if (std::string(test.type.name) == "double") enable("cl_khr_fp64");
  if (std::string(test.type.name) == "half") enable("cl_khr_fp16");
  return text;
}

/// "atomic_fetch_add_explicit(p, OPERAND, memory_order_relaxed, memory_scope_device)"
std::string call(const Case& test, const std::string& arguments) {
  std::string text = "atomic_" + std::string(name_of(test.function));
  const bool is_explicit = test.form != Form::plain;
  text += is_explicit ? "_explicit(p" : "(p";
  if (!arguments.empty()) text += ", " + arguments;
  if (is_explicit) {
    text += std::string(", memory_order_") + test.order;
    if (test.compare_exchange()) text += std::string(", memory_order_") + test.failure;
  }
  if (test.form == Form::order_and_scope) text += std::string(", memory_scope_") + test.scope;
  return text + ")";
}

/// An item's operand, in terms of its number `i`; operand_of() computes the same.
std::string operand(const Case& test) {
  const std::string bits = std::to_string(test.type.size * 8);
  switch (test.function) {
  case Function::fetch_add:
  case Function::fetch_sub:
    return test.type.kind == Kind::floating ? "(C)1" : "(C)3";
  case Function::fetch_or:
  case Function::fetch_xor:
    return "(C)1 << (i % " + bits + ")";
  case Function::fetch_and:
    return "~((C)1 << (i % " + bits + "))";
  case Function::fetch_min:
  case Function::fetch_max:
    return "(C)(i * 37 % 256) - (C)100";
  default:
    return "(C)(i + 1)";
  }
}

/// Declarations of the object and of `p`, the pointer through which the function is called.
std::string object(const Case& test) {
  std::string text = test.local_object() || test.space == Space::generic_global ? "  local A own;\n" : "";
  switch (test.space) {
  case Space::global:
    text += "  volatile global A* p = object;\n";
    break;
  case Space::local:
    text += "  volatile local A* p = &own;\n";
    break;
  case Space::generic_global: // `pick` is 1, which the compiler cannot know
    text +=
        "  volatile __generic A* p = pick ? (volatile __generic A*)object : (volatile __generic A*)&own;\n";
    break;
  case Space::generic_local:
    text +=
        "  volatile __generic A* p = pick ? (volatile __generic A*)&own : (volatile __generic A*)object;\n";
    break;
  }
  return text;
}

/// Declaration of `e`, the pointer to the expected value.
std::string expected(const Case& test) {
  switch (test.expected) {
  case ExpectedSpace::global:
    return "  global C* e = expected + get_global_id(0);\n";
  case ExpectedSpace::local:
    return "  local C slots[64];\n  local C* e = slots + get_local_id(0);\n";
  case ExpectedSpace::private_:
    return "  C slot;\n  C* e = &slot;\n";
  case ExpectedSpace::generic:
    return "  C slot;\n  __generic C* e = pick ? (__generic C*)&slot : (__generic C*)(expected + "
           "get_global_id(0));\n";
  case ExpectedSpace::none:
    break;
  }
  return "";
}

/// What an item does, ending in `result`.
std::string action(const Case& test) {
  switch (test.function) {
  case Function::init:
    return "  if (i == 0) " + call(test, "(C)42") +
           ";\n  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n" +
           "  C result = atomic_load_explicit(p, memory_order_relaxed);\n";
  case Function::store:
    return "  " + call(test, operand(test)) + ";\n  C result = (C)0;\n";
  case Function::load:
    return "  C result = " + call(test, "") + ";\n";
  case Function::compare_exchange_strong:
  case Function::compare_exchange_weak:
    // Counts up; then a comparison that must fail has to store what it found.
    return "  *e = initial[0];\n  uint tries = 0;\n"
           "  while (!" +
           call(test, "e, (C)(*e + (C)1)") +
           ")\n    if (++tries > 10000000) break;\n"
           "  C result = *e;\n  *e = (C)3;\n"
           "  if (" +
           call(test, "e, (C)0") + " || *e == (C)3) result = (C)3;\n";
  case Function::flag_test_and_set:
    return "  C result = " + call(test, "") + " ? 1 : 0;\n";
  case Function::flag_clear:
    return "  if (i == 0) atomic_flag_test_and_set_explicit(p, memory_order_relaxed);\n"
           "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n  " +
           call(test, "") +
           ";\n"
           "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
           "  C result = (C)0;\n"
           "  if (i == 0) result = atomic_flag_test_and_set_explicit(p, memory_order_relaxed) ? 1 : 0;\n";
  default:
    return "  C result = " + call(test, operand(test)) + ";\n";
  }
}

} // namespace

const char* name_of(Function function) {
  return function_names[static_cast<int>(function)];
}

std::string Case::name() const {
  static constexpr const char* spaces[] = {"global", "local", "generic to global", "generic to local"};
  static constexpr const char* expecteds[] = {"", "global", "local", "private", "generic"};
  std::string text = standard + " atomic_" + name_of(function) + " " + type.atomic + " " + spaces[int(space)];
  if (expected != ExpectedSpace::none) text += std::string(", expected ") + expecteds[int(expected)];
  if (form != Form::plain) {
    text += std::string(", ") + order;
    if (compare_exchange()) text += std::string("/") + failure;
  }
  if (form == Form::order_and_scope) text += std::string(", ") + scope;
  return text;
}

std::string source_of(const Case& test, const std::string& kernel) {
  const bool flag = std::string(test.type.atomic) == "atomic_flag";
  std::string text = pragmas(test);
  text += std::string("#undef C\n#define C ") + test.type.name + "\n#undef A\n#define A " + test.type.atomic;
  text += "\nkernel void " + kernel +
          "(global A* object, global C* expected, global C* returned, global C* final,\n"
          "              global const C* initial, int pick) {\n";
  text += object(test) + expected(test);
  text += test.local_object() ? "  uint i = get_local_id(0);\n" : "  uint i = get_global_id(0);\n";
  if (test.local_object()) {
    text += flag ? "  if (i == 0) atomic_flag_clear_explicit(&own, memory_order_relaxed);\n"
                 : "  if (i == 0) atomic_init(&own, initial[0]);\n";
    text += "  barrier(CLK_LOCAL_MEM_FENCE);\n";
  }
  text += action(test);
  text += "  returned[get_global_id(0)] = result;\n";
  if (test.local_object() && !flag)
    text += "  barrier(CLK_LOCAL_MEM_FENCE);\n"
            "  if (i == 0) final[get_group_id(0)] = atomic_load_explicit(&own, memory_order_relaxed);\n";
  return text + "}\n";
}

} // namespace conformance
