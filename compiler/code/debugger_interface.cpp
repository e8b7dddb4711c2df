#include "compiler/code/debugger_interface.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

namespace {

/// The data that debuggers read. Names and layouts are fixed by the interface.
struct CodeEntry {
  CodeEntry* next = nullptr;
  CodeEntry* previous = nullptr;
  const char* first_byte = nullptr;
  std::uint64_t bytes = 0;
};

enum Action : std::uint32_t { none, register_entry, unregister_entry };

struct Descriptor {
  std::uint32_t version;
  std::uint32_t action;
  CodeEntry* relevant;
  CodeEntry* first;
};

} // namespace

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
extern "C" {
[[gnu::visibility("default")]] constinit Descriptor __jit_debug_descriptor = {1, none, nullptr, nullptr};

/// Debuggers have a breakpoint here. The assembly keeps the compiler from removing calls and the stores
/// before them.
[[gnu::visibility("default"), gnu::noinline]] void __jit_debug_register_code() {
  asm volatile("" ::: "memory");
}
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)

namespace hostcl::compiler {

namespace {

/// Guards the descriptor.
constinit std::mutex list_mutex;

/// Acquires the lock before fork(), so that a child finds it free, and the list in order. Registered when the
/// driver is loaded: prepare handlers run in reverse order, so fork() acquires this lock after it has waited
/// for threads that compile, which need the lock as well.
bool held_over_fork() noexcept {
  return pthread_atfork([] { list_mutex.lock(); }, [] { list_mutex.unlock(); },
                        [] { list_mutex.unlock(); }) == 0;
}

const bool is_held_over_fork = held_over_fork();

void tell(Action action, CodeEntry* entry) {
  __jit_debug_descriptor.action = action;
  __jit_debug_descriptor.relevant = entry;
  __jit_debug_register_code();
}

} // namespace

bool is_traced() {
  char text[1024] = "";
  const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t bytes = read(file, text, sizeof text);
  close(file);
  constexpr std::string_view key = "TracerPid:\t";
  const std::string_view status(text, bytes < 0 ? 0 : static_cast<std::size_t>(bytes));
  const auto found = status.find(key);
  return found != status.npos && !status.substr(found + key.size()).starts_with('0');
}

struct DebuggerObject::Entry : CodeEntry {};

DebuggerObject::DebuggerObject(std::vector<char> object)
    : object_(std::move(object)), entry_(std::make_unique<Entry>()) {
  entry_->first_byte = object_.data();
  entry_->bytes = object_.size();
  const std::scoped_lock lock(list_mutex);
  CodeEntry*& first = __jit_debug_descriptor.first;
  entry_->next = first;
  if (first) first->previous = entry_.get();
  first = entry_.get();
  tell(register_entry, entry_.get());
}

DebuggerObject::~DebuggerObject() {
  const std::scoped_lock lock(list_mutex);
  (entry_->previous ? entry_->previous->next : __jit_debug_descriptor.first) = entry_->next;
  if (entry_->next) entry_->next->previous = entry_->previous;
  tell(unregister_entry, entry_.get());
}

} // namespace hostcl::compiler
