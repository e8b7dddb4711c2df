#include "compiler/code/jit.hpp"

#include "compiler/code/debugger_interface.hpp"
#include "compiler/code/host_functions.hpp"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/ExecutionEngine/JITLink/JITLink.h"
#include "llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/Process.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace hostcl::compiler {

using namespace llvm;
using namespace llvm::jitlink;

namespace {

/// Memory of a CodeHost for one object: for code and constants, and for variables.
struct Blocks {
  CodeHost& host;
  std::array<std::byte*, 2> memory{};
  std::size_t code_bytes = 0;
  explicit Blocks(CodeHost& code_host) : host(code_host) {}
  ~Blocks() {
    for (std::byte* block : memory)
      host.free_code(block);
  }
  Blocks(const Blocks&) = delete;
};

/// The host's memory has the right protection already, and code is never changed after it has been linked.
class Allocation final : public JITLinkMemoryManager::InFlightAlloc {
public:
  explicit Allocation(std::unique_ptr<Blocks> blocks) : blocks_(std::move(blocks)) {}
  void abandon(OnAbandonedFunction then) override {
    blocks_.reset();
    then(Error::success());
  }
  void finalize(OnFinalizedFunction then) override {
    char* code = reinterpret_cast<char*>(blocks_->memory[0]);
    __builtin___clear_cache(code, code + blocks_->code_bytes);
    then(JITLinkMemoryManager::FinalizedAlloc(orc::ExecutorAddr::fromPtr(blocks_.release())));
  }

private:
  std::unique_ptr<Blocks> blocks_;
};

/// Memory of a CodeHost (code_host.hpp) for JITLink.
class HostedMemory final : public JITLinkMemoryManager {
public:
  explicit HostedMemory(CodeHost& host) : host_(host) {}
  void allocate(const JITLinkDylib*, LinkGraph& graph, OnAllocatedFunction then) override;
  void deallocate(std::vector<FinalizedAlloc> allocations, OnDeallocatedFunction then) override;

private:
  CodeHost& host_;
};

void HostedMemory::allocate(const JITLinkDylib*, LinkGraph& graph, OnAllocatedFunction then) {
  // Constants with addresses are written by the linker alone.
  for (Section& section : graph.sections())
    if (section.getName().starts_with(".data.rel.ro")) section.setMemProt(orc::MemProt::Read);
  BasicLayout layout(graph);
  const std::uint64_t page = sys::Process::getPageSizeEstimate();
  const auto is_writable = [](orc::AllocGroup group) {
    return (group.getMemProt() & orc::MemProt::Write) != orc::MemProt::None;
  };
  const auto bytes_of = [&](const auto& segment) {
    return alignTo(segment.ContentSize + segment.ZeroFillSize, page);
  };
  std::array<std::uint64_t, 2> bytes{};
  for (const auto& [group, segment] : layout.segments())
    bytes[is_writable(group)] += bytes_of(segment);
  auto blocks = std::make_unique<Blocks>(host_);
  blocks->code_bytes = bytes[0];
  std::array<char*, 2> next{};
  for (const bool writable : {false, true}) {
    if (bytes[writable] == 0) continue;
    blocks->memory[writable] = host_.allocate_code(bytes[writable], writable);
    if (!blocks->memory[writable]) return then(createStringError("no memory is left for machine code"));
    std::memset(blocks->memory[writable], 0, bytes[writable]);
    next[writable] = reinterpret_cast<char*>(blocks->memory[writable]);
  }
  for (auto& [group, segment] : layout.segments()) {
    char*& place = next[is_writable(group)];
    segment.WorkingMem = place;
    segment.Addr = orc::ExecutorAddr::fromPtr(place);
    place += bytes_of(segment);
  }
  if (Error error = layout.apply()) return then(std::move(error));
  then(std::make_unique<Allocation>(std::move(blocks)));
}

void HostedMemory::deallocate(std::vector<FinalizedAlloc> allocations, OnDeallocatedFunction then) {
  for (FinalizedAlloc& allocation : allocations)
    delete allocation.release().toPtr<Blocks*>();
  then(Error::success());
}

} // namespace

/// The memory of a linked object.
struct CodeLibrary::Object {
  explicit Object(std::shared_ptr<CodeHost> code_host) : host(std::move(code_host)) {
    if (host)
      memory = std::make_unique<HostedMemory>(*host);
    else
      memory = std::make_unique<InProcessMemoryManager>(sys::Process::getPageSizeEstimate());
  }

  std::shared_ptr<CodeHost> host; ///< null for this process
  std::unique_ptr<JITLinkMemoryManager> memory;
  JITLinkMemoryManager::FinalizedAlloc code;
  std::optional<DebuggerObject> debugged;
  Object* next = nullptr;
};

constinit AtomicList<CodeLibrary::Object> CodeLibrary::unused_;

/// The callbacks of JITLink while it links one object, on the thread that has called it.
class CodeLibrary::Linking final : public JITLinkContext {
public:
  Linking(const CodeLibrary& library, Object& object, Linked& linked, Error& failure)
      : JITLinkContext(nullptr), library_(library), object_(object), linked_(linked), failure_(failure) {}

  JITLinkMemoryManager& getMemoryManager() override { return *object_.memory; }
  void notifyFailed(Error error) override { failure_ = joinErrors(std::move(failure_), std::move(error)); }
  void notifyFinalized(JITLinkMemoryManager::FinalizedAlloc code) override { object_.code = std::move(code); }

  void lookup(const LookupMap& wanted, std::unique_ptr<JITLinkAsyncLookupContinuation> then) override {
    AsyncLookupResult found;
    for (const auto& [name, flags] : wanted) {
      void* address = library_.address_of(*name);
      if (!address && flags == SymbolLookupFlags::RequiredSymbol)
        return then->run(createStringError("symbol " + (*name).str() + " is not defined"));
      found[name] = {orc::ExecutorAddr::fromPtr(address), JITSymbolFlags::Exported};
    }
    then->run(std::move(found));
  }

  Error notifyResolved(LinkGraph& graph) override {
    for (const Symbol* symbol : graph.defined_symbols())
      if (symbol->hasName() && symbol->getScope() != Scope::Local)
        linked_.symbols.emplace((*symbol->getName()).str(), symbol->getAddress().toPtr<void*>());
    if (Section* text = graph.findSectionByName(".text")) {
      const SectionRange range(*text);
      linked_.code.first_byte = range.getStart().toPtr<const std::byte*>();
      linked_.code.bytes = range.getSize();
    }
    if (graph.findSectionByName(".debug_info"))
      for (const Section& section : graph.sections())
        if (const SectionRange range(section); range.getSize())
          linked_.sections.emplace(section.getName().str(), range.getStart().getValue());
    return Error::success();
  }

private:
  const CodeLibrary& library_;
  Object& object_;
  Linked& linked_;
  Error& failure_;
};

namespace {

/// Registers an object with debuggers. They read a copy of the object whose section headers have the
/// addresses of the loaded sections.
void show_to_debuggers(StringRef object, const std::map<std::string, std::uint64_t, std::less<>>& sections,
                       std::optional<DebuggerObject>& shown) {
  std::vector<char> copy(object.begin(), object.end());
  auto file = object::ELF64LEFile::create(StringRef(copy.data(), copy.size()));
  if (!file) return consumeError(file.takeError());
  auto headers = file->sections();
  if (!headers) return consumeError(headers.takeError());
  for (const object::ELF64LE::Shdr& header : *headers) {
    auto name = file->getSectionName(header);
    if (!name) return consumeError(name.takeError());
    if (const auto found = sections.find(*name);
        found != sections.end() && (header.sh_flags & ELF::SHF_ALLOC))
      const_cast<object::ELF64LE::Shdr&>(header).sh_addr = found->second; // of the copy
  }
  shown.emplace(std::move(copy));
}

} // namespace

CodeLibrary::CodeLibrary(std::shared_ptr<CodeHost> host) : host_(std::move(host)) {
  free_unused();
}

// LLVM allocates memory when memory of code is freed. A destructor must neither fail nor wait, so the objects
// are only put on a list.
CodeLibrary::~CodeLibrary() {
  Object* first = objects_.first();
  if (!first) return;
  Object* last = first;
  while (last->next)
    last = last->next;
  unused_.push(*first, *last);
}

void CodeLibrary::free_unused() {
  for (Object* first = unused_.take_all(); first;) {
    std::unique_ptr<Object> object(std::exchange(first, first->next));
    // gdb keeps a breakpoint at its address, even if other code gets the address later. So debugged code is
    // never freed.
    if (object->debugged && is_traced()) {
      object->code.release();
      continue;
    }
    object->debugged.reset();
    consumeError(object->memory->deallocate(std::move(object->code)));
  }
}

void* CodeLibrary::shared(StringRef symbol) const {
  const auto found = shared_.find(symbol);
  return found == shared_.end() ? nullptr : found->second;
}

void* CodeLibrary::address_of(StringRef symbol) const {
  if (void* address = shared(symbol)) return address;
  if (host_) return host_->host_function(symbol);
  const auto functions = host_functions();
  const auto found =
      std::ranges::find(functions, symbol, [](const HostFunction& f) { return StringRef(f.name); });
  return found == functions.end() ? nullptr : found->address;
}

/// @returns the symbols of the object, and its code
Expected<CodeLibrary::Linked> CodeLibrary::link(StringRef bytes) {
  // JITLink uses names of the graph's symbols after it has destroyed the graph, so the pool of names must live until
  // link() has returned.
  const auto names = std::make_shared<orc::SymbolStringPool>();
  auto graph = createLinkGraphFromObject(MemoryBufferRef(bytes, "object"), names);
  if (!graph) return graph.takeError();
  auto object = std::make_unique<Object>(host_);
  Linked linked;
  Error failure = Error::success();
  jitlink::link(std::move(*graph), std::make_unique<Linking>(*this, *object, linked, failure));
  if (failure) return std::move(failure);
  if (!linked.sections.empty()) show_to_debuggers(bytes, linked.sections, object->debugged);
  Object& held = *object.release();
  objects_.push(held, held);
  return linked;
}

Error CodeLibrary::add(StringRef object) {
  auto linked = link(object);
  if (!linked) return linked.takeError();
  shared_.merge(linked->symbols);
  return Error::success();
}

namespace {

/// The source lines of an object's code, with offsets into its text section. Empty unless the program was compiled with
/// -g.
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

} // namespace

Expected<LinkedCode> CodeLibrary::link(StringRef object, StringRef name) {
  auto linked = link(object);
  if (!linked) return linked.takeError();
  const auto found = linked->symbols.find(name);
  if (found == linked->symbols.end()) return createStringError("symbol " + name.str() + " is not defined");
  linked->code.address = found->second;
  linked->code.lines = lines_of(object);
  if (const auto order = linked->symbols.find(abi::order_symbol); order != linked->symbols.end())
    linked->code.order = static_cast<const abi::OrderProperties*>(order->second);
  return std::move(linked->code);
}

} // namespace hostcl::compiler
