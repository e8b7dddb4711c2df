// The code that a running launch uses: runtime/program/current_code.hpp.

#include "tests/order/piece.hpp"

#include "compiler/compiler.hpp"

#include "tests/order/begin_driver_code.hpp"

#include "runtime/program/current_code.hpp"

#include "tests/order/end_driver_code.hpp"

namespace {

using hostcl::compiler::KernelChoice;
using hostcl::compiler::KernelCode;
using hostcl::runtime::CurrentCode;

/// Versions of a kernel's code, which a thread compiles one after the other, and publishes with a lock. Threads of a
/// launch look for the latest code twice, as they do before two ranges of work-groups.
template <unsigned runners, unsigned tier1_from>
struct Replacing : model::Model<Replacing<runners, tier1_from>, runners + 1> {
  static constexpr unsigned last_version = 2;
  model::Mutex lock;
  model::Data<unsigned> made{0};
  rl::atomic<unsigned> versions{0}; ///< as KernelVersions::count_
  KernelCode codes[last_version + 1] = {};
  model::Data<bool> is_complete[last_version + 1]; ///< stands for what the code consists of
  CurrentCode current{KernelChoice{&codes[0], {}, false, 0}};

  Replacing() { is_complete[0].set(true); }
  void thread(unsigned index) {
    if (index == runners) {
      for (unsigned version = 1; version <= last_version; ++version)
        compile(version);
      return;
    }
    for (unsigned range = 0; range < 2; ++range) {
      const KernelCode& code = current.latest([this] { return versions.load(rl::mo_acquire, RL_INFO); },
                                              [this](const KernelCode&) { return choose(); });
      MODEL_CHECK(is_complete[&code - codes].get());
    }
    MODEL_CHECK(is_complete[&current.get() - codes].get());
  }
  void compile(unsigned version) {
    is_complete[version].set(true);
    lock.lock();
    made.set(version);
    versions.store(version, rl::mo_release, RL_INFO);
    lock.unlock();
  }
  KernelChoice choose() {
    lock.lock();
    const unsigned version = made.get();
    lock.unlock();
    return {&codes[version], {}, version >= tier1_from, version};
  }
};

} // namespace

int main(int count, char** arguments) {
  return model::Piece("current code", {"runtime/program/current_code.hpp"},
                      {model::bounded<Replacing<2, 9>>("tier 0 code", 2, 36398),
                       model::bounded<Replacing<2, 1>>("tier 1 code", 2, 44752),
                       model::random<Replacing<2, 1>>("tier 1 code, random", 20000)})
      .run(count, arguments);
}
