#include "compiler/isolate.hpp"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/thread.h"

#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>

namespace hostcl::compiler {

namespace {

/// clang's parser and LLVM's selection recurse; 64 MB of address space costs nothing until touched.
constexpr std::optional<unsigned> stack_bytes = 64u << 20;

thread_local bool isolated = false;

/// LLVM's own frames hold nothing that must be released before the thread's work is given up.
void on_fatal_error(void*, const char* reason, bool) {
  if (isolated) throw std::runtime_error(reason);
}

void on_bad_alloc(void*, const char*, bool) {
  if (isolated) throw std::bad_alloc();
}

void install_handlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::install_fatal_error_handler(on_fatal_error);
    llvm::install_bad_alloc_error_handler(on_bad_alloc);
  });
}

} // namespace

std::string isolate(llvm::function_ref<void()> work) {
  install_handlers();
  std::string failure;
  llvm::thread worker(stack_bytes, [&] {
    isolated = true;
    try {
      work();
    } catch (const std::bad_alloc&) {
      failure = "out of memory";
    } catch (const std::exception& e) {
      failure = e.what();
    }
  });
  worker.join();
  return failure;
}

} // namespace hostcl::compiler
