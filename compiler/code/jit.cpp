#include "compiler/code/jit.hpp"

#include "compiler/code/debugger_interface.hpp"
#include "compiler/code/host_functions.hpp"
#include "compiler/isolation/guard.hpp"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/ExecutionEngine/JITLink/JITLink.h"
#include "llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/Memory.h"
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

#include <sys/mman.h>

namespace hostcl::compiler {

using namespace llvm;
using namespace llvm::jitlink;

namespace {

/// Pages of this process: first the pages for code and constants, which are executable and not writable, then the pages
/// for variables. Small objects share slabs, because the code of a small kernel takes less than a kilobyte.
struct Slab {
  static constexpr std::size_t shared_bytes = 16u << 10, alignment = 64;

  Slab() = default;
  Slab(const Slab&) = delete;
  ~Slab() { munmap(pages.base(), pages.allocatedSize()); }
  Error map(std::uint64_t code, std::uint64_t variables);
  Error write(StringRef code, std::byte* place);

  sys::MemoryBlock pages{};
  std::size_t code_bytes = 0, used = 0; ///< bytes for code, and how many of them objects have been given
};

/// Guards the newest shared slab, `used` and the code of all slabs.
constinit std::mutex slabs_mutex;

std::weak_ptr<Slab>& newest_slab() {
  static std::weak_ptr<Slab>& newest = *new std::weak_ptr<Slab>;
  return newest;
}

Error map_pages(std::size_t bytes, sys::MemoryBlock& pages) {
  std::error_code failure;
  pages = sys::Memory::allocateMappedMemory(bytes, nullptr, sys::Memory::MF_READ | sys::Memory::MF_WRITE,
                                            failure);
  return errorCodeToError(failure);
}

Error Slab::map(std::uint64_t code, std::uint64_t variables) {
  code_bytes = alignTo(code, sys::Process::getPageSizeEstimate());
  if (Error error = map_pages(code_bytes + variables, pages)) return error;
  if (code_bytes == 0) return Error::success();
  // The pages become executable while they are empty: Linux reports pages to perf when mprotect() makes them
  // executable, but not when mremap() puts Slab::write()'s copy in their place.
  return errorCodeToError(sys::Memory::protectMappedMemory({pages.base(), code_bytes},
                                                           sys::Memory::MF_READ | sys::Memory::MF_EXEC));
}

/// Writes the code of an object to its place in the slab. Threads may run code of other objects in the slab meanwhile,
/// so the slab's pages never become writable: a copy of the pages that contains the new code replaces them. A thread
/// that runs into the pages while they are replaced waits in a page fault until the copy is in place.
Error Slab::write(StringRef code, std::byte* place) {
  const HeldLock lock(slabs_mutex);
  sys::MemoryBlock copy;
  if (Error error = map_pages(code_bytes, copy)) return error;
  auto* from = static_cast<std::byte*>(pages.base());
  auto* to = static_cast<std::byte*>(copy.base());
  std::memcpy(to, from, used);
  std::memcpy(to + (place - from), code.data(), code.size());
  auto failure = sys::Memory::protectMappedMemory(copy, sys::Memory::MF_READ | sys::Memory::MF_EXEC);
  if (!failure && mremap(to, code_bytes, code_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, from) == MAP_FAILED)
    failure = errnoAsErrorCode();
  if (failure) munmap(to, code_bytes);
  return errorCodeToError(failure);
}

/// The memory of one object: a block for code and constants, and a block for variables. Both blocks come from a
/// CodeHost (code_host.hpp), or from a slab of this process.
class ObjectMemory final : public JITLinkMemoryManager {
public:
  explicit ObjectMemory(CodeHost* host) : host_(host) {}
  ~ObjectMemory() override;
  void allocate(const JITLinkDylib*, LinkGraph& graph, OnAllocatedFunction then) override;
  /// Never called: the memory is freed with this object.
  void deallocate(std::vector<FinalizedAlloc>, OnDeallocatedFunction then) override {
    then(Error::success());
  }
  /// Writes code that was linked in `draft_` to the slab. A host's memory has been written by the linker, and has the
  /// right protection already. Code is never changed after this call.
  Error finish();
  /// Keeps the memory until the process ends.
  void leak();

private:
  Error allocate_in_slab(std::array<std::uint64_t, 2> bytes, bool is_shared);
  Error allocate_in_host(std::array<std::uint64_t, 2> bytes);

  CodeHost* host_; ///< null for this process
  std::array<std::byte*, 2> memory_{};
  std::size_t code_bytes_ = 0;
  std::shared_ptr<Slab> slab_; ///< null for a host
  std::string draft_;          ///< the code of an object in a slab, until finish()
};

ObjectMemory::~ObjectMemory() {
  if (!host_) return;
  for (std::byte* block : memory_)
    host_->free_code(block);
}

void ObjectMemory::leak() {
  memory_ = {};
  static_cast<void>(new std::shared_ptr(slab_));
}

/// @param bytes of each kind of memory; those for variables will be zero
Error ObjectMemory::allocate_in_slab(std::array<std::uint64_t, 2> bytes, bool is_shared) {
  const HeldLock lock(slabs_mutex);
  if (is_shared) slab_ = newest_slab().lock();
  if (!slab_ || bytes[0] > slab_->code_bytes - slab_->used) {
    slab_ = std::make_shared<Slab>();
    if (Error error = slab_->map(is_shared ? Slab::shared_bytes : bytes[0], bytes[1])) return error;
    if (is_shared) newest_slab() = slab_;
  }
  auto* base = static_cast<std::byte*>(slab_->pages.base());
  memory_ = {base + slab_->used, base + slab_->code_bytes};
  slab_->used += alignTo(bytes[0], Slab::alignment);
  draft_.resize(bytes[0]);
  return Error::success();
}

Error ObjectMemory::allocate_in_host(std::array<std::uint64_t, 2> bytes) {
  for (const bool writable : {false, true}) {
    if (bytes[writable] == 0) continue;
    const std::uint64_t whole = alignTo(bytes[writable], sys::Process::getPageSizeEstimate());
    memory_[writable] = host_->allocate_code(whole, writable);
    if (!memory_[writable]) return createStringError("no memory is left for machine code");
    std::memset(memory_[writable], 0, whole);
  }
  return Error::success();
}

Error ObjectMemory::finish() {
  if (!draft_.empty())
    if (Error error = slab_->write(std::exchange(draft_, {}), memory_[0])) return error;
  sys::Memory::InvalidateInstructionCache(memory_[0], code_bytes_);
  return Error::success();
}

class Allocation final : public JITLinkMemoryManager::InFlightAlloc {
public:
  explicit Allocation(ObjectMemory& memory) : memory_(memory) {}
  void abandon(OnAbandonedFunction then) override { then(Error::success()); }
  void finalize(OnFinalizedFunction then) override {
    if (Error error = memory_.finish()) return then(std::move(error));
    then(JITLinkMemoryManager::FinalizedAlloc());
  }

private:
  ObjectMemory& memory_;
};

void ObjectMemory::allocate(const JITLinkDylib*, LinkGraph& graph, OnAllocatedFunction then) {
  // Constants with addresses are written by the linker alone.
  for (Section& section : graph.sections())
    if (section.getName().starts_with(".data.rel.ro")) section.setMemProt(orc::MemProt::Read);
  BasicLayout layout(graph);
  const auto is_writable = [](orc::AllocGroup group) {
    return (group.getMemProt() & orc::MemProt::Write) != orc::MemProt::None;
  };
  std::array<std::uint64_t, 2> bytes{};
  Align alignment;
  for (auto& [group, segment] : layout.segments()) {
    alignment = std::max(alignment, segment.Alignment);
    std::uint64_t& end = bytes[is_writable(group)];
    segment.Addr = orc::ExecutorAddr(alignTo(end, segment.Alignment)); // an offset until there is memory
    end = segment.Addr.getValue() + segment.ContentSize + segment.ZeroFillSize;
  }
  if (alignment.value() > sys::Process::getPageSizeEstimate())
    return then(createStringError("a section of the machine code requires an alignment of more than a page"));
  code_bytes_ = bytes[0];
  // Code with debug information gets a slab of its own: when a shared slab's pages are replaced, breakpoints in them
  // could get lost.
  const bool is_shared = bytes[0] <= Slab::shared_bytes / 2 && bytes[1] == 0 &&
                         alignment.value() <= Slab::alignment && !graph.findSectionByName(".debug_info");
  if (Error error = host_ ? allocate_in_host(bytes) : allocate_in_slab(bytes, is_shared))
    return then(std::move(error));
  for (auto& [group, segment] : layout.segments()) {
    const std::uint64_t offset = segment.Addr.getValue();
    segment.Addr = orc::ExecutorAddr::fromPtr(memory_[is_writable(group)] + offset);
    segment.WorkingMem = slab_ && !is_writable(group) ? draft_.data() + offset : segment.Addr.toPtr<char*>();
  }
  if (Error error = layout.apply()) return then(std::move(error));
  then(std::make_unique<Allocation>(*this));
}

} // namespace

/// The memory of a linked object.
struct CodeLibrary::Object {
  explicit Object(std::shared_ptr<CodeHost> code_host) : host(std::move(code_host)), memory(host.get()) {}

  std::shared_ptr<CodeHost> host; ///< null for this process
  ObjectMemory memory;
  std::optional<DebuggerObject> debugged;
};

/// The callbacks of JITLink while it links one object, on the thread that has called it.
class CodeLibrary::Linking final : public JITLinkContext {
public:
  Linking(const CodeLibrary& library, Object& object, Linked& linked, Error& failure)
      : JITLinkContext(nullptr), library_(library), object_(object), linked_(linked), failure_(failure) {}

  JITLinkMemoryManager& getMemoryManager() override { return object_.memory; }
  void notifyFailed(Error error) override { failure_ = joinErrors(std::move(failure_), std::move(error)); }
  void notifyFinalized(JITLinkMemoryManager::FinalizedAlloc) override {}

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

CodeLibrary::CodeLibrary(std::shared_ptr<CodeHost> host) : host_(std::move(host)) {}

CodeLibrary::~CodeLibrary() {
  // gdb keeps a breakpoint at its address, even if other code gets the address later. So debugged code is never freed.
  for (const auto& object : objects_)
    if (object->debugged && is_traced()) object->memory.leak();
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
  const std::scoped_lock lock(mutex_);
  objects_.push_back(std::move(object));
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
