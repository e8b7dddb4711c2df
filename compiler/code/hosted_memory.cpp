#include "compiler/code/hosted_memory.hpp"

#include "llvm/ExecutionEngine/JITLink/JITLink.h"
#include "llvm/Support/Process.h"

#include <cstring>

namespace hostcl::compiler {

using namespace llvm;
using namespace llvm::jitlink;

/// One object. The host's memory has the right protection already, and code is never changed after it has been linked.
class HostedMemory::Allocation final : public InFlightAlloc {
public:
  Allocation(CodeHost& host, std::byte* memory) : host_(host), memory_(memory) {}
  void abandon(OnAbandonedFunction then) override {
    host_.free_code(memory_);
    then(Error::success());
  }
  void finalize(OnFinalizedFunction then) override {
    then(FinalizedAlloc(orc::ExecutorAddr::fromPtr(memory_)));
  }

private:
  CodeHost& host_;
  std::byte* memory_;
};

void HostedMemory::allocate(const JITLinkDylib*, LinkGraph& graph, OnAllocatedFunction then) {
  BasicLayout layout(graph);
  const std::uint64_t page = sys::Process::getPageSizeEstimate();
  auto sizes = layout.getContiguousPageBasedLayoutSizes(page);
  if (!sizes) return then(sizes.takeError());
  std::byte* memory = host_.allocate_code(sizes->total());
  if (!memory) return then(createStringError("no memory is left for machine code"));
  std::memset(memory, 0, sizes->total());
  char* next = reinterpret_cast<char*>(memory);
  for (auto& [group, segment] : layout.segments()) {
    segment.WorkingMem = next;
    segment.Addr = orc::ExecutorAddr::fromPtr(next);
    next += alignTo(segment.ContentSize + segment.ZeroFillSize, page);
  }
  if (Error error = layout.apply()) {
    host_.free_code(memory);
    return then(std::move(error));
  }
  then(std::make_unique<Allocation>(host_, memory));
}

void HostedMemory::deallocate(std::vector<FinalizedAlloc> allocations, OnDeallocatedFunction then) {
  for (FinalizedAlloc& allocation : allocations)
    host_.free_code(allocation.release().toPtr<std::byte*>());
  then(Error::success());
}

} // namespace hostcl::compiler
