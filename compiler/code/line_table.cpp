#include "compiler/code/line_table.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ObjectFile.h"

#include <algorithm>

namespace hostcl::compiler {

using namespace llvm;

std::vector<CodeLine> lines_of(StringRef bytes) {
  std::vector<CodeLine> lines;
  auto file = object::ObjectFile::createObjectFile(MemoryBufferRef(bytes, "object"));
  if (!file) {
    consumeError(file.takeError());
    return lines;
  }
  const bool has_lines = any_of((*file)->sections(), [](const object::SectionRef& section) {
    auto name = section.getName();
    if (name) return *name == ".debug_line";
    consumeError(name.takeError());
    return false;
  });
  if (!has_lines) return lines;
  auto ignore = [](Error error) { consumeError(std::move(error)); };
  auto context = DWARFContext::create(**file, DWARFContext::ProcessDebugRelocations::Process, nullptr, "",
                                      ignore, ignore);
  for (const auto& unit : context->compile_units())
    if (const DWARFDebugLine::LineTable* table = context->getLineTableForUnit(unit.get()))
      for (const DWARFDebugLine::Row& row : table->Rows)
        lines.push_back({static_cast<std::uint32_t>(row.Address.Address),
                         row.EndSequence ? 0 : static_cast<std::uint32_t>(row.Line)});
  // If a sequence ends where another one begins, the end (line 0) comes first.
  std::ranges::sort(lines, {}, [](const CodeLine& line) { return std::pair(line.offset, line.line); });
  return lines;
}

} // namespace hostcl::compiler
