// Handles and reference counts: runtime/object/object.hpp and runtime/object/handle_arena.cpp, with a stand-in for the
// lock.

#include "tests/order/piece.hpp"

#include "runtime/support/cl.hpp"
#include "runtime/support/result.hpp"

#include <sys/mman.h>
#include <sys/resource.h>

namespace {

/// The addresses that the arena reserves, in place of mmap() and mprotect().
namespace reserved {

constexpr std::size_t bytes = std::size_t{1} << 24, step = std::size_t{1} << 22, most_ranges = 2;

std::byte* addresses() {
  static auto* const all = static_cast<std::byte*>(mmap(nullptr, bytes * most_ranges, PROT_READ | PROT_WRITE,
                                                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  return all;
}
std::size_t ranges = 0; ///< how many are reserved
/// For each step, a variable that is written when the step is made accessible.
model::Data<bool>* is_accessible = nullptr;

void access(const void* address) {
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - addresses());
  MODEL_CHECK(offset < bytes * most_ranges);
  MODEL_CHECK(is_accessible[offset / step].get());
}

void* reserve(void*, std::size_t wanted, int, int, int, long) {
  return wanted > bytes || ranges == most_ranges ? MAP_FAILED : addresses() + bytes * ranges++;
}
int make_accessible(void* first, std::size_t, int) {
  is_accessible[static_cast<std::size_t>(static_cast<std::byte*>(first) - addresses()) / step].set(true);
  return 0;
}

} // namespace reserved

} // namespace

#include "tests/order/begin_driver_code.hpp"
#define mmap reserved::reserve
#define mprotect reserved::make_accessible
#define madvise(...)

#include "runtime/object/handle_arena.cpp"
#include "runtime/object/object.hpp"

#undef mmap
#undef mprotect
#undef madvise
#include "tests/order/end_driver_code.hpp"

namespace hostcl::runtime {

const cl_icd_dispatch* dispatch_table = nullptr;
const char* name_of(Kind) {
  return "";
}

} // namespace hostcl::runtime

namespace {

using namespace hostcl::runtime;

/// The arena as it is when the driver is loaded.
template <class Derived, unsigned threads>
struct ArenaModel : model::Model<Derived, threads> {
  std::array<model::Data<bool>, reserved::bytes / reserved::step * reserved::most_ranges> accessible;

  ArenaModel() {
    reserved::is_accessible = accessible.data();
    reserved::ranges = 0;
    begin(handle_arena::first_range);
    begin(handle_arena::later_ranges[0]);
    model::begin_atomic<unsigned>(&handle_arena::later_count, 0);
    new (&handle_arena::state()) handle_arena::State;
  }
  static void begin(handle_arena::Range& range) {
    model::begin_atomic<std::uintptr_t>(&range.first, 0);
    model::begin_atomic<std::uintptr_t>(&range.last, 0);
  }
};

/// A thread tests addresses while the first range, or the second one, is being reserved.
template <bool is_second>
struct Reserving : ArenaModel<Reserving<is_second>, 2> {
  Reserving() {
    if (!is_second) return;
    handle_arena::allocate(64);
    handle_arena::state().next = handle_arena::state().reserved_end; // all slots are taken
    model::begin_atomic<std::uintptr_t>(&handle_arena::first_range.last, handle_arena::state().reserved_end);
  }
  void thread(unsigned index) {
    std::byte* const first = reserved::addresses() + (is_second ? reserved::bytes : 0);
    if (index == 0) {
      MODEL_CHECK(handle_arena::allocate(64) == first);
      return;
    }
    if (handle_arena::contains(first)) reserved::access(first);
    MODEL_CHECK(!handle_arena::is_in_later_range(first - handle_arena::granule));
    MODEL_CHECK(is_second || !handle_arena::contains(first - handle_arena::granule));
  }
};

/// An object of the API.
struct Thing : HandleObject<_cl_event, Kind::event, CL_INVALID_EVENT> {
  model::Data<unsigned> value;
  model::Data<bool> uses[2]; ///< by threads that release references of the application
  unsigned& destroyed;

  explicit Thing(unsigned& count) : HandleObject(destroy_object<Thing>), destroyed(count) { value.set(7); }
  ~Thing() {
    value.set(0);
    ++destroyed;
  }
  void released_by_application() { uses[0].get() && uses[1].get(); }
};

/// A model with objects in the first slot of the arena, or in the second one while the first one is in use.
template <class Derived, unsigned threads>
struct ObjectModel : ArenaModel<Derived, threads> {
  unsigned destroyed = 0;

  ObjectModel() {
    constexpr std::size_t slot_bytes = (sizeof(Thing) + 63) / 64 * 64;
    for (std::byte* slot = reserved::addresses(); slot < reserved::addresses() + 2 * slot_bytes;
         slot += slot_bytes) {
      model::begin_atomic<std::uint64_t>(slot + 8, 0);  // the tag: memory of the system is zero
      model::begin_atomic<std::uint64_t>(slot + 16, 0); // the counts
    }
  }
  static Thing& thing() { return *reinterpret_cast<Thing*>(reserved::addresses()); }
};

/// A thread tests a handle that is just becoming valid.
struct Exposing : ObjectModel<Exposing, 2> {
  void thread(unsigned index) {
    if (index == 0)
      expose(make_object<Thing>(destroyed));
    else if (auto found = object_cast<Thing>(&thing()); found.ok())
      MODEL_CHECK(std::move(found).value().value.get() == 7);
  }
  void after() {
    MODEL_CHECK(release_handle<Thing>(&thing()).ok());
    MODEL_CHECK(destroyed == 1);
  }
};

/// Two threads use an object and release their references.
struct Releasing : ObjectModel<Releasing, 2> {
  Ref<Thing> references[2];
  Releasing() {
    references[0] = make_object<Thing>(destroyed);
    references[1] = references[0];
  }
  void thread(unsigned index) {
    MODEL_CHECK(references[index]->value.get() == 7);
    references[index] = {};
  }
  void after() { MODEL_CHECK(destroyed == 1); }
};

/// Two threads of the application use an object and release their references to it.
struct ApplicationReleasing : ObjectModel<ApplicationReleasing, 2> {
  Ref<Thing> kept;
  ApplicationReleasing() {
    kept = make_object<Thing>(destroyed);
    MODEL_CHECK(retain_handle<Thing>(expose(kept)).ok());
  }
  void thread(unsigned index) {
    kept->uses[index].set(true);
    MODEL_CHECK(release_handle<Thing>(&thing()).ok());
  }
  void after() {
    kept = {};
    MODEL_CHECK(destroyed == 1);
  }
};

/// A thread takes a reference from a list that does not own its objects, while another thread makes the object and
/// releases it again.
struct Weak : ObjectModel<Weak, 2> {
  void thread(unsigned index) {
    if (index == 0) {
      make_object<Thing>(destroyed);
    } else if (thing().try_retain()) {
      const auto taken = Ref<Thing>::adopt(&thing());
      MODEL_CHECK(taken->value.get() == 7);
    }
  }
  void after() { MODEL_CHECK(destroyed == 1); }
};

/// A thread looks a handle up, as DeviceEvent::find() does, while the slot gets another object.
struct Finding : ObjectModel<Finding, 2> {
  Ref<Thing> first;
  _cl_event* second = nullptr;
  Finding() {
    first = make_object<Thing>(destroyed);
    expose(first);
  }
  void thread(unsigned index) {
    if (index == 0) {
      first = {};
      MODEL_CHECK(release_handle<Thing>(&thing()).ok());
      second = expose(make_object<Thing>(destroyed));
    } else if (handle_arena::contains(&thing()) && thing().is_live(Thing::kind) && thing().try_retain()) {
      const auto found = Ref<Thing>::adopt(&thing());
      if (found->is_live(Thing::kind)) MODEL_CHECK(found->value.get() == 7);
    }
  }
  void after() {
    MODEL_CHECK(release_handle<Thing>(second).ok());
    MODEL_CHECK(destroyed == 2);
  }
};

} // namespace

int main(int count, char** arguments) {
  constexpr const char* complete_ranges = "a thread that has a handle of a later range sees the range's "
                                          "bounds; it got the handle after they were set";
  return model::Piece(
             "handles",
             {"runtime/object/handle_arena.cpp", "runtime/object/handle_arena.hpp",
              "runtime/object/object.hpp"},
             {model::all_of<Reserving<false>>("the first range", 5028),
              model::all_of<Reserving<true>>("the second range", 10769),
              model::all_of<Exposing>("a new object", 7622),
              model::all_of<Releasing>("the last reference", 6),
              model::bounded<ApplicationReleasing>("the application's last reference", 4, 4582),
              model::all_of<Weak>("a list that owns nothing", 392),
              model::bounded<Finding>("a slot that gets another object", 3, 14319)},
             {{"later_count.fetch_add(1, std::memory_order_release)", rl::mo_relaxed, complete_ranges},
              {"later_count.load(std::memory_order_acquire)", rl::mo_relaxed, complete_ranges}})
      .run(count, arguments);
}
