// A litmus test as OpenCL C: every role a case of a switch, over many instances.

#include "conformance/litmus/kernel.hpp"

namespace conformance {
namespace {

std::string statement(const Step& step) {
  static constexpr const char* locations[] = {"x", "y", "z"};
  const std::string place = std::string(locations[step.location]) + " + j";
  const std::string order =
      std::string("memory_order_") + name_of(step.order) + ", memory_scope_all_svm_devices)";
  const std::string reg = "registers[" + std::to_string(step.value) + " * n + i] = ";
  const std::string value = std::to_string(step.value);
  switch (step.kind) {
  case Step::store:
    return "atomic_store_explicit(" + place + ", " + value + ", " + order + ";";
  case Step::load:
    return reg + "atomic_load_explicit(" + place + ", " + order + ";";
  case Step::add:
    return reg + "atomic_fetch_add_explicit(" + place + ", 1, " + order + ";";
  case Step::plain_store:
    return "*(global int*)(" + place + ") = " + value + ";";
  case Step::plain_load:
    return reg + "*(global int*)(" + place + ");";
  case Step::fence:
    return "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, " + order + ";";
  }
  return {};
}

} // namespace

std::string source_of(const Litmus& test) {
  std::string text =
      "kernel void k(global atomic_int* x, global atomic_int* y, global atomic_int* z,\n"
      "              global int* registers, global atomic_int* go, int n, int slice, int host_role) {\n"
      "  int slices = n / slice, role = get_group_id(0) / slices, first = get_group_id(0) % slices * slice;\n"
      "  if (host_role >= 0 && role >= host_role) ++role;\n"
      "  atomic_store_explicit(go, 1, memory_order_release, memory_scope_all_svm_devices);\n"
      "  for (int i = first; i < first + slice; ++i) {\n"
      "    int j = i * " +
      std::to_string(stride) + ";\n    switch (role) {\n";
  for (size_t role = 0; role < test.roles.size(); ++role) {
    text += "    case " + std::to_string(role) + ":\n";
    for (const Step& step : test.roles[role])
      text += "      " + statement(step) + "\n";
    text += "      break;\n";
  }
  return text + "    }\n  }\n}\n";
}

} // namespace conformance
