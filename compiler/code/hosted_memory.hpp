#pragma once

// Memory of a CodeHost (compiler/code_host.hpp) for JITLink.

#include "compiler/code_host.hpp"

#include "llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h"

namespace hostcl::compiler {

class HostedMemory final : public llvm::jitlink::JITLinkMemoryManager {
public:
  explicit HostedMemory(CodeHost& host) : host_(host) {}
  void allocate(const llvm::jitlink::JITLinkDylib*, llvm::jitlink::LinkGraph& graph,
                OnAllocatedFunction then) override;
  void deallocate(std::vector<FinalizedAlloc> allocations, OnDeallocatedFunction then) override;

private:
  CodeHost& host_;
};

} // namespace hostcl::compiler
