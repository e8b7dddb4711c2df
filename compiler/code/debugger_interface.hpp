#pragma once

// The interface by which debuggers learn of code that is compiled at run time ("JIT Interface" in gdb's
// manual; lldb uses it as well). A debugger sets a breakpoint in __jit_debug_register_code() and reads
// __jit_debug_descriptor.

#include <memory>
#include <span>
#include <vector>

namespace hostcl::compiler {

/// Whether a debugger is attached to this process, so that there may be breakpoints in the process's code. Allocates
/// no memory.
bool is_traced();

/// An object file that debuggers know of as long as the C++ object exists. Several threads may make and
/// destroy such objects.
class DebuggerObject {
public:
  /// @param object an ELF file whose section headers have the addresses at which the sections were loaded
  explicit DebuggerObject(std::vector<char> object);
  ~DebuggerObject();
  DebuggerObject(const DebuggerObject&) = delete;
  DebuggerObject& operator=(const DebuggerObject&) = delete;

private:
  struct Entry;
  std::vector<char> object_;
  std::unique_ptr<Entry> entry_;
};

} // namespace hostcl::compiler
