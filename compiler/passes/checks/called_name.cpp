#include "compiler/passes/checks/called_name.hpp"

#include "llvm/IR/Function.h"

namespace hostcl::compiler {

using namespace llvm;

CalledName called_name(const Function& function) {
  StringRef rest = function.getName();
  unsigned length = 0;
  if (!rest.consume_front("_Z") || rest.consumeInteger(10, length) || length > rest.size()) return {};
  CalledName name{rest.take_front(length), rest.drop_front(length)};
  rest = name.parameters;
  unsigned lanes;
  if (rest.consume_front("Dv") && !rest.consumeInteger(10, lanes)) rest.consume_front("_");
  if (!rest.empty()) name.element = rest.front();
  return name;
}

} // namespace hostcl::compiler
