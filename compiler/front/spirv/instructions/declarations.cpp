// Reads what comes before a module's types: capabilities, extensions, names, entry points and decorations.
// Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/instructions.hpp"
#include "compiler/front/spirv/support.hpp"

#include "llvm/IR/MDBuilder.h"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

constexpr std::uint32_t float_controls_2 = 6029, bfloat_dot_product = 5117, bfloat_arithmetic = 6226;

} // namespace

void read_nothing(Reader&, Operands) {}

/// Refuses an instruction of SPV_INTEL_long_composites that does not follow the instruction that it
/// continues; Words has joined all others to the instruction before them.
void read_continuation(Reader&, Operands) {
  refuse("it does not follow the instruction that it continues");
}

void read_capability(Reader& r, Operands in) {
  const std::uint32_t capability = in.word();
  if (!is_supported_capability(capability))
    refuse("the capability " + StringRef(capability_name(capability)) + " (" + Twine(capability) +
           ") is not supported");
  const Language& language = r.request.settings->language;
  if (const std::string_view missing = missing_for(capability, language); !missing.empty())
    refuse("the capability " + StringRef(capability_name(capability)) + " needs " + StringRef(missing) +
           ", which " + described_device(language) + " lacks");
  if (capability == float_controls_2) r.float_controls_2 = true;
  if (capability == bfloat_dot_product || capability == bfloat_arithmetic) r.bfloat_arithmetic = true;
}

void read_extension(Reader&, Operands in) {
  const std::string_view name = in.string();
  if (!is_supported_extension(name)) refuse("the extension '" + StringRef(name) + "' is not supported");
}

void read_extended_instruction_import(Reader& r, Operands in) {
  const Id id = in.id();
  const std::string_view name = in.string();
  const auto set = instruction_set(name);
  if (!set) refuse("the set of extended instructions '" + StringRef(name) + "' is not supported");
  r.instruction_sets[id] = *set;
}

void read_memory_model(Reader& r, Operands in) {
  const std::uint32_t addressing = in.word(), model = in.word();
  if (const Language& language = r.request.settings->language;
      addressing == spv::AddressingModelPhysical64 && language.address_bits == 32)
    refuse("the addressing model is Physical64; " + described_device(language) + " has 32-bit addresses");
  if (addressing != spv::AddressingModelPhysical64)
    refuse(addressing == spv::AddressingModelPhysical32
               ? "the addressing model is Physical32; the device has 64-bit addresses, and needs Physical64"
               : "the addressing model is " + Twine(addressing) + "; it must be Physical64 (2)");
  if (model != spv::MemoryModelOpenCL)
    refuse("the memory model is " + Twine(model) + "; it must be OpenCL (2)");
}

void read_entry_point(Reader& r, Operands in) {
  const std::uint32_t model = in.word();
  const Id function = in.id();
  const std::string_view name = in.string();
  if (model != spv::ExecutionModelKernel)
    refuse("the execution model is " + Twine(model) + "; it must be Kernel (6)");
  if (StringRef(name).starts_with("__hostcl_") || StringRef(name).starts_with("llvm.") || name.empty())
    refuse("'" + Twine(StringRef(name)) +
           "' cannot be the name of a kernel: it is empty, or begins with __hostcl_ or llvm., which are "
           "reserved for the compiler");
  r.entry_points.push_back({function, name});
}

void read_execution_mode(Reader& r, Operands in) {
  const Id function = in.id();
  const auto mode = in.enumerant<spv::ExecutionMode>();
  r.execution_modes[function].push_back({mode, in.rest()});
}

void read_name(Reader& r, Operands in) {
  const Id id = in.id();
  r.names[id] = in.string();
}

void read_string(Reader& r, Operands in) {
  const Id id = in.id();
  r.strings[id] = in.string();
}

void read_line(Reader& r, Operands in) {
  const Id file = in.id();
  const std::uint32_t line = in.word();
  r.place = {file, line, in.word()};
}

void read_no_line(Reader& r, Operands) {
  r.place = {};
}

void read_decoration(Reader& r, Operands in) {
  r.decorations.read(in);
}

void read_alias_list(Reader& r, Operands in) { // SPV_INTEL_memory_access_aliasing
  const Id result = in.id();
  const auto next = [&] { return entry(r.alias_nodes, in.id(), "a scope, domain or list of aliasing"); };
  MDBuilder metadata(r.context());
  MDNode* node = nullptr;
  if (in.op() == spv::OpAliasDomainDeclINTEL) {
    node = metadata.createAnonymousAliasScopeDomain();
  } else if (in.op() == spv::OpAliasScopeDeclINTEL) {
    node = metadata.createAnonymousAliasScope(next());
  } else {
    SmallVector<Metadata*, 8> scopes;
    while (!in.empty())
      scopes.push_back(next());
    node = MDNode::get(r.context(), scopes);
  }
  r.alias_nodes[result] = node;
}

} // namespace hostcl::compiler::spirv
