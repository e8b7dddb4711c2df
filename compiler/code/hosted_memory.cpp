#include "compiler/code/hosted_memory.hpp"

#include "llvm/ExecutionEngine/JITLink/JITLink.h"
#include "llvm/Support/Process.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

namespace hostcl::compiler {

using namespace llvm;
using namespace llvm::jitlink;

namespace {

/// The memory of one object: of code and constants, and of variables.
struct Blocks {
  CodeHost& host;
  std::array<std::byte*, 2> memory{};
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
    then(JITLinkMemoryManager::FinalizedAlloc(orc::ExecutorAddr::fromPtr(blocks_.release())));
  }

private:
  std::unique_ptr<Blocks> blocks_;
};

} // namespace

void HostedMemory::allocate(const JITLinkDylib*, LinkGraph& graph, OnAllocatedFunction then) {
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

} // namespace hostcl::compiler
