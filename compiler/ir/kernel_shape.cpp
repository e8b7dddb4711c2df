#include "compiler/ir/kernel_shape.hpp"

#include "compiler/ir/metadata.hpp"

#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

#include <string>

namespace hostcl::compiler {

using namespace llvm;

namespace {

std::uint64_t number(const Function& function, StringRef attribute, std::uint64_t otherwise) {
  std::uint64_t value = 0;
  Attribute found = function.getFnAttribute(attribute);
  if (!found.isStringAttribute() || found.getValueAsString().getAsInteger(10, value)) return otherwise;
  return value;
}

bool flag(const Function& function, StringRef attribute) {
  return function.getFnAttribute(attribute).getValueAsString() == "true";
}

Function* named_by(const Function& function, StringRef attribute) {
  const Attribute name = function.getFnAttribute(attribute);
  return name.isStringAttribute() ? function.getParent()->getFunction(name.getValueAsString()) : nullptr;
}

} // namespace

bool is_kernel_body(const Function& function) {
  return !function.isDeclaration() && function.getCallingConv() == CallingConv::SPIR_KERNEL;
}

KernelShape kernel_shape(const Function& kernel) {
  KernelShape shape;
#define KERNEL_NUMBER(NAME, DEFAULT)                                                                         \
  shape.NAME = static_cast<unsigned>(number(kernel, metadata::NAME, DEFAULT));
#define KERNEL_FLAG(NAME) shape.NAME = flag(kernel, metadata::NAME);
#include "compiler/ir/kernel_attributes.def"
#undef KERNEL_NUMBER
#undef KERNEL_FLAG
  return shape;
}

Function* checked_form_of(const Function& kernel) {
  return named_by(kernel, metadata::checked_form);
}

Function* race_condition_of(const Function& kernel) {
  return named_by(kernel, metadata::race_condition);
}

const Function* kernel_of_form(const Function& function) {
  const Function* kernel = named_by(function, metadata::checks_of);
  return kernel ? kernel : &function;
}

ContextSize context_size(const Function& kernel) {
  return {number(kernel, metadata::context_fixed, 0), number(kernel, metadata::context_per_chunk, 0)};
}

void set_context_size(Function& kernel, ContextSize size) {
  kernel.addFnAttr(metadata::context_fixed, std::to_string(size.fixed));
  kernel.addFnAttr(metadata::context_per_chunk, std::to_string(size.per_chunk));
}

} // namespace hostcl::compiler
