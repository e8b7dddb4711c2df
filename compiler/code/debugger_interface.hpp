#pragma once

// The interface through which debuggers learn of code that is made while a process runs ("JIT Interface" of gdb's
// manual, which lldb follows): they set a breakpoint in __jit_debug_register_code() and read __jit_debug_descriptor.

#include <memory>
#include <span>
#include <vector>

namespace hostcl::compiler {

/// Whether a debugger has this process, so that breakpoints may lie in its code.
bool is_traced();

/// An object file that debuggers know of while it exists. Several threads may make and destroy them.
class DebuggerObject {
public:
  /// @param object an ELF file whose sections have the addresses that they were loaded at
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
