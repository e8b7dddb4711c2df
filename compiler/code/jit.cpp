#include "compiler/code/jit.hpp"

#include "compiler/code/host_functions.hpp"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include "llvm/ExecutionEngine/Orc/TaskDispatch.h"
#include "llvm/Support/MemoryBuffer.h"

#include <atomic>
#include <mutex>
#include <string>
#include <utility>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HOSTCL_THREAD_SANITIZER 1
extern "C" void AnnotateIgnoreWritesBegin(const char*, int);
extern "C" void AnnotateIgnoreWritesEnd(const char*, int);
#endif
#endif

namespace hostcl::compiler {

using namespace llvm;
using namespace llvm::orc;

namespace {

/// Exists while a thread drops references that LLVM's code, which is not instrumented, counts as well:
/// ThreadSanitizer does not see that the thread that frees the object was the last to drop one.
struct CountedByLlvm {
#if defined(HOSTCL_THREAD_SANITIZER)
  CountedByLlvm() { AnnotateIgnoreWritesBegin(__FILE__, __LINE__); }
  ~CountedByLlvm() { AnnotateIgnoreWritesEnd(__FILE__, __LINE__); }
#else
  CountedByLlvm() {}
#endif
};

struct Session {
  std::unique_ptr<ExecutionSession> execution;
  std::unique_ptr<ObjectLinkingLayer> objects;
  JITDylib* host_functions = nullptr;

  std::mutex mutex;
  std::string reports; ///< ORC's reports of failures, beside the errors that it returns

  void report(Error error) {
    std::scoped_lock lock(mutex);
    reports += toString(std::move(error)) + "\n";
  }
  std::string take_reports() {
    std::scoped_lock lock(mutex);
    return std::exchange(reports, {});
  }
};

Expected<Session*> create_session() {
  // Linking happens on the calling thread: ORC has no threads of its own.
  auto control = SelfExecutorProcessControl::Create(nullptr, std::make_unique<InPlaceTaskDispatcher>());
  if (!control) return control.takeError();
  auto session = std::make_unique<Session>();
  session->execution = std::make_unique<ExecutionSession>(std::move(*control));
  session->execution->setErrorReporter([raw = session.get()](Error error) { raw->report(std::move(error)); });
  session->objects = std::make_unique<ObjectLinkingLayer>(*session->execution);
  session->host_functions = &session->execution->createBareJITDylib("host");
  SymbolMap symbols;
  for (const HostFunction& function : host_functions())
    symbols[session->execution->intern(function.name)] = {
        ExecutorAddr::fromPtr(function.address), JITSymbolFlags::Exported | JITSymbolFlags::Callable};
  if (Error error = session->host_functions->define(absoluteSymbols(std::move(symbols))))
    return std::move(error);
  // Lives until the process ends: kernels may still run while static objects are destroyed.
  return session.release();
}

Expected<Session*> session() {
  static Expected<Session*>& created = *new Expected<Session*>(create_session());
  if (created) return *created;
  return createStringError("the JIT session could not be created");
}

Session& running_session() {
  return *cantFail(session());
}

} // namespace

// LLVM allocates when a library is removed, and the destructor of a CodeLibrary must neither fail nor wait.
struct CodeLibrary::Removal {
  JITDylib* library;
  Removal* next = nullptr;
  static std::atomic<Removal*> pending;

  static void perform_all() {
    for (Removal* first = pending.exchange(nullptr, std::memory_order_acquire); first;) {
      std::unique_ptr<Removal> removal(std::exchange(first, first->next));
      consumeError(removal->library->getExecutionSession().removeJITDylib(*removal->library));
      if (!first) running_session().execution->getSymbolStringPool()->clearDeadEntries();
    }
  }
};
std::atomic<CodeLibrary::Removal*> CodeLibrary::Removal::pending = nullptr;

CodeLibrary::CodeLibrary(JITDylib& library, std::unique_ptr<Removal> removal)
    : library_(library), removal_(std::move(removal)) {}

Expected<std::unique_ptr<CodeLibrary>> CodeLibrary::create() {
  static std::atomic<std::uint64_t> count = 0;
  auto jit = session();
  if (!jit) return jit.takeError();
  Removal::perform_all();
  JITDylib& library = (*jit)->execution->createBareJITDylib("program" + std::to_string(count++));
  library.addToLinkOrder(*(*jit)->host_functions);
  return std::unique_ptr<CodeLibrary>(new CodeLibrary(library, std::make_unique<Removal>(&library)));
}

CodeLibrary::~CodeLibrary() {
  Removal* removal = removal_.release();
  removal->next = Removal::pending.load(std::memory_order_relaxed);
  while (!Removal::pending.compare_exchange_weak(removal->next, removal, std::memory_order_release))
    ;
}

Error CodeLibrary::add(std::unique_ptr<MemoryBuffer> object) {
  return running_session().objects->add(library_, std::move(object));
}

Expected<void*> CodeLibrary::link(std::unique_ptr<MemoryBuffer> object, StringRef name) {
  const CountedByLlvm counted;
  ResourceTrackerSP tracker = library_.createResourceTracker();
  if (Error error = running_session().objects->add(tracker, std::move(object))) return std::move(error);
  auto address = find(name);
  if (address) return address;
  return joinErrors(address.takeError(), tracker->remove());
}

Expected<void*> CodeLibrary::find(StringRef name) {
  ExecutionSession& execution = *running_session().execution;
  auto symbol = execution.lookup({&library_}, execution.intern(name));
  if (!symbol) {
    std::string message = toString(symbol.takeError());
    return createStringError(running_session().take_reports() + message);
  }
  return symbol->getAddress().toPtr<void*>();
}

} // namespace hostcl::compiler
