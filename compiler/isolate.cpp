#include "compiler/isolate.hpp"

#include "llvm/Support/ErrorHandling.h"

#include <mutex>
#include <new>
#include <stdexcept>

#include <pthread.h>

namespace hostcl::compiler {

namespace {

/// clang's parser and LLVM's selection recurse; 64 MB of address space costs nothing until touched.
constexpr std::size_t stack_bytes = 64u << 20;

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

struct Work {
  llvm::function_ref<void()> function;
  std::string failure;

  void run() {
    isolated = true;
    try {
      try {
        function();
      } catch (const std::bad_alloc&) {
        failure = out_of_memory;
      } catch (const std::exception& e) {
        failure = e.what();
      }
    } catch (const std::bad_alloc&) { // no memory for what e said
      failure = out_of_memory;
    }
  }
};

/// llvm::thread would end the process where no thread can be had.
bool start(pthread_t& thread, Work& work) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  bool started =
      pthread_attr_setstacksize(&attributes, stack_bytes) == 0 && pthread_create(
                                                                      &thread, &attributes,
                                                                      [](void* argument) -> void* {
                                                                        static_cast<Work*>(argument)->run();
                                                                        return nullptr;
                                                                      },
                                                                      &work) == 0;
  pthread_attr_destroy(&attributes);
  return started;
}

} // namespace

std::string isolate(llvm::function_ref<void()> function) {
  install_handlers();
  Work work{function, {}};
  pthread_t thread;
  if (!start(thread, work)) return out_of_memory;
  pthread_join(thread, nullptr);
  return std::move(work.failure);
}

} // namespace hostcl::compiler
