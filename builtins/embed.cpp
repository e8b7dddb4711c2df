// Build tool: embed_builtins OUTPUT (unit NAME FILE.bc | header NAME FILE)...
//
// Packs the compiled units and the headers for kernels into one archive (archive.hpp). A unit is one compiled `*.clcpp`
// file. Before a unit is packed, the tool removes named metadata, COMDATs and attributes that kernels do not need,
// makes linkonce functions (instances of templates, inline functions) internal, and splits the unit into parts, so that
// a program reads only the parts that it uses. It also checks that the library is closed: no function is defined twice,
// and each function that is called is defined, is an LLVM intrinsic, or is a `__hostcl_*` function that the passes
// provide.

#include "builtins/archive.hpp"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <map>
#include <string>
#include <vector>

using namespace llvm;
using namespace hostcl::builtins;

namespace {

struct Input {
  std::string name;
  std::string bytes;
};

struct Library {
  std::vector<Input> units;
  std::vector<Input> headers;
  std::map<std::string, std::uint32_t> symbols; ///< defined function -> index of its unit
  std::map<std::string, std::string> uses;      ///< called function -> name of a unit that calls it
  bool sound = true;

  void complain(const Twine& message) {
    errs() << "embed_builtins: " << message << "\n";
    sound = false;
  }
};

/// Removes named metadata, COMDATs and attributes that only matter to a stand-alone translation unit, makes linkonce
/// functions internal, and names the module after its unit.
void simplify(Module& module, StringRef unit) {
  module.setSourceFileName(unit);
  while (!module.named_metadata_empty())
    module.eraseNamedMetadata(&*module.named_metadata_begin());
  for (Function& function : module) {
    for (StringRef attribute : {"frame-pointer", "stack-protector-buffer-size", "uniform-work-group-size",
                                "no-trapping-math", "min-legal-vector-width"})
      function.removeFnAttr(attribute);
    if (!function.isDeclaration() && function.hasLinkOnceLinkage())
      function.setLinkage(GlobalValue::InternalLinkage);
    function.setComdat(nullptr);
  }
}

/// A unit is split into parts of at most 24 public functions and 4000 instructions; a larger function is a part of its
/// own. Reading a part costs time for each function in the part, and a program uses few functions of a unit.
constexpr unsigned functions_per_part = 24, instructions_per_part = 4000;

/// The number of functions, from the first one on, that make the next part.
std::size_t part_size(ArrayRef<const Function*> functions) {
  std::size_t count = 0;
  for (unsigned instructions = 0; count < functions.size() && count < functions_per_part; ++count) {
    instructions += functions[count]->getInstructionCount();
    if (count != 0 && instructions > instructions_per_part) break;
  }
  return count;
}

using Definitions = SmallPtrSet<const GlobalValue*, 32>;

void add_with_local_uses(const GlobalValue& value, Definitions& part);

/// Adds the functions and variables of local linkage to which a constant refers.
void add_local_uses(const Constant& constant, Definitions& part) {
  if (auto* global = dyn_cast<GlobalValue>(&constant)) {
    if (global->hasLocalLinkage()) add_with_local_uses(*global, part);
    return;
  }
  for (const Use& operand : constant.operands())
    add_local_uses(*cast<Constant>(operand), part);
}

void add_with_local_uses(const GlobalValue& value, Definitions& part) {
  if (!part.insert(&value).second) return;
  if (auto* variable = dyn_cast<GlobalVariable>(&value)) {
    if (variable->hasInitializer()) add_local_uses(*variable->getInitializer(), part);
  } else if (auto* function = dyn_cast<Function>(&value)) {
    for (const Instruction& instruction : instructions(*function))
      for (const Use& operand : instruction.operands())
        if (auto* constant = dyn_cast<Constant>(operand)) add_local_uses(*constant, part);
  }
}

/// Copies of the module. Each copy defines some of the module's public functions, and the internal functions and
/// constants that these functions use; all other symbols are declarations, or are removed.
std::vector<std::unique_ptr<Module>> split(const Module& module) {
  SmallVector<const Function*, 0> functions;
  for (const Function& function : module)
    if (!function.isDeclaration() && function.hasExternalLinkage()) functions.push_back(&function);

  std::vector<std::unique_ptr<Module>> parts;
  for (ArrayRef<const Function*> left = functions; !left.empty();) {
    auto chosen = left.take_front(part_size(left));
    left = left.drop_front(chosen.size());
    Definitions definitions;
    for (const Function* function : chosen)
      add_with_local_uses(*function, definitions);
    ValueToValueMapTy map;
    auto part =
        CloneModule(module, map, [&](const GlobalValue* value) { return definitions.contains(value); });
    for (GlobalObject& object : make_early_inc_range(part->global_objects()))
      if (object.isDeclaration() && object.use_empty()) object.eraseFromParent();
    part->setSourceFileName(module.getSourceFileName() + "." + std::to_string(parts.size()));
    parts.push_back(std::move(part));
  }
  return parts;
}

/// Whether LLVM or the passes provide the function. Intrinsics for images are overloaded on the type of the image, so
/// their names are mangled: `_Z14__hostcl_image…`.
bool is_provided(const Function& function) {
  return function.isIntrinsic() || function.getName().starts_with("__hostcl_") ||
         function.getName().starts_with("_Z14__hostcl_image");
}

void index(const Module& module, Library& library) {
  std::uint32_t unit = static_cast<std::uint32_t>(library.units.size());
  for (const Function& function : module) {
    std::string name = function.getName().str();
    if (function.isDeclaration()) {
      if (!is_provided(function)) library.uses.try_emplace(name, module.getSourceFileName());
    } else if (function.hasExternalLinkage()) {
      if (!library.symbols.try_emplace(name, unit).second)
        library.complain(name + " is defined by " + library.units[library.symbols[name]].name + " and by " +
                         module.getSourceFileName());
    }
  }
}

std::string write(const Module& module) {
  SmallVector<char, 0> buffer;
  BitcodeWriter writer(buffer);
  writer.writeModule(module);
  writer.writeStrtab();
  return std::string(buffer.begin(), buffer.end());
}

void add_unit(StringRef name, StringRef file, Library& library) {
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseIRFile(file, diagnostic, context);
  if (!module) {
    library.complain(file + ": " + diagnostic.getMessage());
    return;
  }
  simplify(*module, name);
  for (const std::unique_ptr<Module>& part : split(*module)) {
    index(*part, library);
    library.units.push_back({part->getSourceFileName(), write(*part)});
  }
}

void add_header(StringRef name, StringRef file, Library& library) {
  auto buffer = MemoryBuffer::getFile(file);
  if (!buffer)
    library.complain(file + ": " + buffer.getError().message());
  else
    library.headers.push_back({name.str(), (*buffer)->getBuffer().str()});
}

/// Lays out the archive: the tables, then the bytes they point at.
class Layout {
public:
  explicit Layout(const Library& library) {
    bytes_at_ = sizeof(Archive) + library.units.size() * sizeof(ArchiveUnit) +
                library.symbols.size() * sizeof(ArchiveSymbol) +
                library.headers.size() * sizeof(ArchiveHeader);
    for (const Input& unit : library.units)
      row(ArchiveUnit{text(unit.name), text(unit.bytes, 8)});
    for (const auto& [name, unit] : library.symbols)
      row(ArchiveSymbol{text(name), unit});
    for (const Input& header : library.headers)
      row(ArchiveHeader{text(header.name), text(header.bytes + '\0').without_terminator()});
    archive_ = {static_cast<std::uint32_t>(library.units.size()),
                static_cast<std::uint32_t>(library.symbols.size()),
                static_cast<std::uint32_t>(library.headers.size()),
                static_cast<std::uint32_t>(bytes_at_ + bytes_.size())};
  }

  void write(raw_ostream& out) const {
    out.write(reinterpret_cast<const char*>(&archive_), sizeof archive_);
    out << tables_ << bytes_;
  }

private:
  struct Placed : Text {
    Text without_terminator() const { return {offset, size - 1}; }
  };

  Placed text(StringRef value, std::size_t alignment = 1) {
    while ((bytes_at_ + bytes_.size()) % alignment)
      bytes_.push_back('\0');
    Placed placed{
        {static_cast<std::uint32_t>(bytes_at_ + bytes_.size()), static_cast<std::uint32_t>(value.size())}};
    bytes_ += value;
    return placed;
  }

  template <class Row>
  void row(const Row& value) {
    tables_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }

  Archive archive_{};
  std::size_t bytes_at_;
  std::string tables_;
  std::string bytes_;
};

} // namespace

int main(int argc, char** argv) {
  Library library;
  if (argc < 2 || argc % 3 != 2) library.complain("usage: OUTPUT (unit NAME FILE.bc | header NAME FILE)...");
  for (int i = 2; i + 2 < argc; i += 3) {
    if (StringRef(argv[i]) == "unit")
      add_unit(argv[i + 1], argv[i + 2], library);
    else
      add_header(argv[i + 1], argv[i + 2], library);
  }
  for (const auto& [name, unit] : library.uses)
    if (!library.symbols.contains(name))
      library.complain(unit + " calls " + name + ", which no unit defines");
  if (!library.sound) return 1;

  std::error_code error;
  raw_fd_ostream out(argv[1], error);
  if (!error)
    Layout(library).write(out);
  else
    errs() << argv[1] << ": " << error.message() << "\n";
  return error ? 1 : 0;
}
