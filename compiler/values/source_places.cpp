#include "compiler/values/source_places.hpp"

#include "compiler/ir/kernel_shape.hpp"
#include "compiler/ir/metadata.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <optional>
#include <tuple>

namespace hostcl::compiler {

using namespace llvm;

StringRef SourcePlace::file_name() const {
  return file ? file->getFilename() : "";
}

/// The content of a `#line` directive, or of a preprocessor's line marker. It applies to the line that follows.
struct LineDirective {
  unsigned line = 0; ///< 0 if unknown, because the directive consists of macros
  std::optional<StringRef> name;
};

static std::optional<LineDirective> line_directive(StringRef text) {
  text = text.ltrim();
  if (!text.consume_front("#")) return std::nullopt;
  text = text.ltrim();
  const bool has_word = text.consume_front("line");
  text = text.ltrim();
  constexpr LineDirective unknown{0, ""};
  LineDirective directive;
  if (text.consumeInteger(10, directive.line)) return has_word ? std::optional(unknown) : std::nullopt;
  text = text.trim();
  if (text.consume_front("\""))
    directive.name = text.take_until([](char c) { return c == '"'; });
  else if (!text.empty() && !text.starts_with("/"))
    return unknown;
  return directive;
}

/// A source text may contain the lines of several files (after preprocessing), as its line directives tell.
StringRef SourcePlace::source_line() const {
  if (!file || !line) return "";
  StringRef rest = file->getSource().value_or(""), in_text, in_named;
  std::optional<StringRef> name; // nothing until the first directive with a name
  for (unsigned number = 1; !rest.empty(); ++number) {
    StringRef text;
    std::tie(text, rest) = rest.split('\n');
    if (number == line && !name) in_text = text;
    if (number == line && name && name->ends_with(file_name())) in_named = text;
    if (const std::optional<LineDirective> directive = line_directive(text)) {
      number = directive->line - 1;
      if (directive->name) name = directive->name;
    }
  }
  return (in_named.empty() ? in_text : in_named).trim();
}

SourcePlace source_place(const Instruction& instruction) {
  constexpr unsigned most_steps = 4;
  SmallVector<const Value*, 4> near{&instruction, getPointerOperand(&instruction)};
  append_range(near, instruction.operand_values());
  for (const Value* value : near)
    for (unsigned i = 0; i < most_steps && isa_and_nonnull<Instruction>(value); ++i) {
      const auto& step = cast<Instruction>(*value);
      if (const DILocation* place = step.getDebugLoc(); place && place->getLine())
        return {place->getFile(), place->getLine(), place->getColumn()};
      value = step.getNumOperands() ? step.getOperand(0) : nullptr;
    }
  const DISubprogram* kernel = kernel_of_form(*instruction.getFunction())->getSubprogram();
  return kernel ? SourcePlace{kernel->getFile(), kernel->getLine(), 0} : SourcePlace();
}

Constant* text_in(Module& module, StringRef value) {
  const std::string name = (metadata::text + value).str();
  Constant* data = ConstantDataArray::getString(module.getContext(), value);
  const GlobalVariable* known = module.getNamedGlobal(name);
  if (known && known->isConstant() && known->hasInitializer() && known->getInitializer() == data)
    return const_cast<GlobalVariable*>(known);
  return new GlobalVariable(module, data->getType(), /*isConstant=*/true, GlobalValue::InternalLinkage, data,
                            name);
}

} // namespace hostcl::compiler
