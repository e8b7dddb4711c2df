#pragma once

// Models of the driver's lock-free code under relacy, a checker that runs the threads of a model in all interleavings,
// or in a stated part of them, and lets each load return every value that the memory orders of C++ allow.
//
// A model compiles the driver's own files: between begin_driver_code.hpp and end_driver_code.hpp, the name `std` means
// the namespace modelled_std below, whose atomics are relacy's and whose other names are those of std. Each memory order
// that the files name is a *site*. The program runs its models with the orders as they are, and then once for each site
// with the order weakened by one step. Each such mutant must make a model fail; exceptions are listed with a reason.

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// The parts of relacy's main header that define no macros with the names of other libraries' functions.
// clang-format off
#include <relacy/base.hpp>
#include <relacy/context.hpp>
#include <relacy/context_base_impl.hpp>
#include <relacy/atomic_fence.hpp>
#include <relacy/atomic.hpp>
#include <relacy/var.hpp>
#include <relacy/thread_local.hpp>
#include <relacy/test_suite.hpp>
#include <relacy/dyn_thread.hpp>
#include <relacy/stdlib/mutex.hpp>
#include <relacy/stdlib/condition_variable.hpp>
#include <relacy/stdlib/semaphore.hpp>
#include <relacy/stdlib/event.hpp>
// clang-format on

namespace model {

// ---- Sites

enum Operation : unsigned { is_load = 1, is_store = 2, is_update = 4, is_fence = 8 };

/// A memory order in a file of the driver.
struct Site {
  const char* file;
  unsigned line,
      column; ///< the column is 0 if the code names the order, which is not a default argument then
  rl::memory_order order;
  unsigned operations = 0; ///< what the models have used the order for
};

inline std::vector<Site>& sites() {
  static std::vector<Site> all;
  return all;
}

inline unsigned add_site(const char* file, unsigned line, unsigned column, rl::memory_order order) {
  sites().push_back({file, line, column, order});
  return static_cast<unsigned>(sites().size() - 1);
}

/// A site whose order is weakened in this run.
struct Mutant {
  unsigned site;
  rl::memory_order order;
};
inline std::vector<Mutant> mutants;

/// An order, as the driver's code passes it to an operation.
struct Order {
  unsigned site;

  rl::memory_order of(Operation operation) const {
    sites()[site].operations |= operation;
    for (const Mutant& mutant : mutants)
      if (mutant.site == site) return mutant.order;
    return sites()[site].order;
  }
  rl::debug_info place() const { return {"", sites()[site].file, sites()[site].line}; }
};

template <std::size_t size>
struct Text {
  char text[size];
  constexpr Text(const char (&literal)[size]) { std::copy_n(literal, size, text); }
};

/// A site whose order the code names. These sites are registered before main() begins, also those that no model
/// reaches.
template <Text file, unsigned line, unsigned counter, rl::memory_order order>
struct NamedOrder {
  static inline const unsigned site = add_site(file.text, line, 0, order);
};

/// The site of an operation without an order, which is sequentially consistent.
inline Order default_order(const char* file, unsigned line, unsigned column) {
  for (unsigned i = 0; i < sites().size(); ++i)
    if (sites()[i].line == line && sites()[i].column == column && !std::strcmp(sites()[i].file, file))
      return {i};
  return {add_site(file, line, column, rl::mo_seq_cst)};
}

// ---- Atomics

inline void fail(const char* why, rl::debug_info_param place) {
  rl::ctx().fail_test(why, rl::test_result_user_assert_failed, place);
}

/// relacy's atomics for the current interleaving. Each is found by the address of the driver's atomic that it stands
/// for. Because relacy's state is not part of the driver's atomic, this atomic keeps its size, may be in a union, and
/// needs no destructor.
class Memory {
public:
  template <class T>
  struct Cell {
    rl::atomic<T> atomic;
    rl::thread_id_t sleepers[8];
    unsigned sleeper_count = 0;
    explicit Cell(T value) : atomic(value) {}
  };

  template <class T>
  void create(const void* address, T value) {
    const rl::preemption_disabler undivided(rl::ctx());
    Entry* entry = find(address);
    if (entry) entry->destroy(entry->bytes);
    if (!entry) {
      if (count_ == entries_.size()) fail("the model has too many atomics", RL_INFO);
      entry = &entries_[count_++];
      entry->address = address;
    }
    static_assert(sizeof(Cell<T>) <= sizeof(entry->bytes));
    entry->destroy = [](void* cell) { static_cast<Cell<T>*>(cell)->~Cell<T>(); };
    new (entry->bytes) Cell<T>(value);
  }

  template <class T>
  Cell<T>& at(const void* address, rl::debug_info_param place) {
    Entry* entry = find(address);
    if (!entry) fail("an atomic is used that the model has not created", place);
    return *std::launder(reinterpret_cast<Cell<T>*>(entry->bytes));
  }

  bool has(const void* address) { return find(address) != nullptr; }
  void begin_interleaving() { count_ = 0; } // if the last one failed, its checker is gone, with all atomics
  void end_interleaving() {
    for (unsigned i = 0; i < count_; ++i)
      entries_[i].destroy(entries_[i].bytes);
    count_ = 0;
  }

private:
  struct Entry {
    const void* address;
    void (*destroy)(void*);
    alignas(16) std::byte bytes[192];
  };
  Entry* find(const void* address) {
    for (unsigned i = 0; i < count_; ++i)
      if (entries_[i].address == address) return &entries_[i];
    return nullptr;
  }
  std::array<Entry, 128> entries_;
  unsigned count_ = 0;
};
inline Memory memory;

/// Gives an atomic that lives longer than an interleaving its first value: a static one, one in a union, or a variable
/// that the driver uses through std::atomic_ref. For constructors of models.
template <class T>
void begin_atomic(const void* address, std::type_identity_t<T> value) {
  memory.create<T>(address, value);
}

/// Blocks until wake() is called for the atomic. There is no switch to another thread between the caller's last look at
/// the atomic and the sleep, as with a futex.
template <class T>
void sleep(Memory::Cell<T>& cell, rl::debug_info_param place) {
  rl::context& checker = rl::ctx();
  cell.sleepers[cell.sleeper_count++] = checker.threadx_->index_;
  checker.park_current_thread(false, false, false, place);
}

/// Wakes sleeping threads. Unlike a store and a load of the atomic, this orders no other memory accesses.
template <class T>
void wake(Memory::Cell<T>& cell, unsigned most, rl::debug_info_param place) {
  while (most-- > 0 && cell.sleeper_count > 0) {
    const unsigned chosen =
        cell.sleeper_count > 1 ? rl::ctx().rand(cell.sleeper_count, rl::sched_type_user) : 0;
    const rl::thread_id_t thread = cell.sleepers[chosen];
    cell.sleepers[chosen] = cell.sleepers[--cell.sleeper_count];
    rl::ctx().unpark_thread(thread, false, place);
  }
}

#define MODEL_DEFAULT_ORDER(file, line, column)                                                              \
  const char *file = __builtin_FILE(), unsigned line = __builtin_LINE(), unsigned column = __builtin_COLUMN()

/// The operations of std::atomic and std::atomic_ref. relacy gets pointers as numbers.
template <class T, class Atomic>
class Operations {
  using Raw = std::conditional_t<std::is_pointer_v<T>, std::uintptr_t, T>;
  static_assert(sizeof(Raw) == sizeof(T));

public:
  T load(Order order) const { return from_raw(cell(order).load(order.of(is_load), order.place())); }
  void store(T value, Order order) const {
    cell(order).store(to_raw(value), order.of(is_store), order.place());
  }
  T exchange(T value, Order order) const {
    return from_raw(cell(order).rmw(rl::rmw_type_t<rl::rmw_type_swap>(), to_raw(value), order.of(is_update),
                                    order.place()));
  }
  template <class Other>
  T fetch_add(Other value, Order order) const {
    return cell(order).fetch_add(static_cast<T>(value), order.of(is_update), order.place());
  }
  template <class Other>
  T fetch_sub(Other value, Order order) const {
    return cell(order).fetch_sub(static_cast<T>(value), order.of(is_update), order.place());
  }
  bool compare_exchange_strong(T& expected, T value, Order order) const {
    return update(expected, [&](Raw& raw) {
      return cell(order).compare_exchange(rl::bool_t<false>(), raw, to_raw(value), order.of(is_update),
                                          order.place());
    });
  }
  bool compare_exchange_weak(T& expected, T value, Order order) const {
    return update(expected, [&](Raw& raw) {
      return cell(order).compare_exchange(rl::bool_t<true>(), raw, to_raw(value), order.of(is_update),
                                          order.place());
    });
  }
  void wait(T old, Order order) const {
    while (load(order) == old) {
      auto& all = memory.at<Raw>(address(), order.place());
      if (all.atomic.debug_value() == to_raw(old))
        sleep(all, order.place());
      else
        rl::ctx().yield(1, order.place());
    }
  }
  void notify_one() const { notify(1); }
  void notify_all() const { notify(~0u); }

  // Without an order.
  T load(MODEL_DEFAULT_ORDER(file, line, column)) const { return load(default_order(file, line, column)); }
  void store(T value, MODEL_DEFAULT_ORDER(file, line, column)) const {
    store(value, default_order(file, line, column));
  }
  bool compare_exchange_strong(T& expected, T value, MODEL_DEFAULT_ORDER(file, line, column)) const {
    return compare_exchange_strong(expected, value, default_order(file, line, column));
  }
  bool compare_exchange_weak(T& expected, T value, MODEL_DEFAULT_ORDER(file, line, column)) const {
    return compare_exchange_weak(expected, value, default_order(file, line, column));
  }

protected:
  static Raw to_raw(T value) { return std::bit_cast<Raw>(value); }
  static T from_raw(Raw value) { return std::bit_cast<T>(value); }
  void create(T value) const { memory.create<Raw>(address(), to_raw(value)); }

private:
  const void* address() const { return static_cast<const Atomic&>(*this).address(); }
  rl::atomic<Raw>& cell(Order order) const { return memory.at<Raw>(address(), order.place()).atomic; }
  template <class Exchange>
  static bool update(T& expected, Exchange exchange) {
    Raw raw = to_raw(expected);
    const bool done = exchange(raw);
    expected = from_raw(raw);
    return done;
  }
  void notify(unsigned most) const {
    rl::ctx().sched();
    wake(memory.at<Raw>(address(), RL_INFO), most, RL_INFO);
  }
};

/// A mutex with few interleavings, for models of code that uses a lock. The driver's lock has its own model, lock.cpp.
class Mutex {
public:
  constexpr Mutex() {
    if (!std::is_constant_evaluated() && rl::is_ctx()) memory.create<bool>(this, false);
  }
  Mutex(const Mutex&) = delete;
  bool try_lock() {
    return !cell().atomic.rmw(rl::rmw_type_t<rl::rmw_type_swap>(), true, rl::mo_acquire, RL_INFO);
  }
  void lock() {
    while (!try_lock())
      if (cell().atomic.debug_value()) sleep(cell(), RL_INFO);
  }
  void unlock() {
    cell().atomic.store(false, rl::mo_release, RL_INFO);
    wake(cell(), 1, RL_INFO);
  }

private:
  Memory::Cell<bool>& cell() {
    if (!memory.has(this)) memory.create<bool>(this, false); // a static one
    return memory.at<bool>(this, RL_INFO);
  }
  [[maybe_unused]] bool unused_ = false; // gives the object an address of its own
};

// ---- Models

/// The constructor of a model makes the objects that its threads share; thread() is what each of them does; after() runs
/// when all have ended.
template <class Derived, rl::thread_id_t threads>
class Model : public rl::test_suite<Derived, threads> {
protected:
  Model() {
    ++(rl::ctx().*(&Allocations::disable_alloc_)); // the driver's code allocates with malloc()
    memory.begin_interleaving();
  }
  ~Model() {
    memory.end_interleaving();
    --(rl::ctx().*(&Allocations::disable_alloc_));
  }

private:
  struct Allocations : rl::context {
    using rl::context::disable_alloc_;
  };
};

/// A plain variable of a model. If accesses of two threads are not ordered, and one of them writes, the model fails.
template <class T>
class Data {
public:
  explicit Data(T value = {}) { set(value); }
  T get() const { return value_(RL_INFO).load(); }
  void set(T value) { value_(RL_INFO).store(value); }

private:
  rl::var<T> value_;
};

/// Tells a thread that another thread has called set(): if is_set() returns true, what came before set() happens before
/// what follows is_set().
class Flag {
public:
  Flag() : value_(false) {}
  void set() { value_.store(true, rl::mo_release, RL_INFO); }
  bool is_set() const { return value_.load(rl::mo_acquire, RL_INFO); }

private:
  rl::atomic<bool> value_;
};

#define MODEL_CHECK(condition) RL_ASSERT(condition)

} // namespace model

// What `std` means in the driver's code.
namespace modelled_std {

using namespace std;

template <class T>
class atomic : public model::Operations<T, atomic<T>> {
public:
  constexpr atomic() : atomic(T()) {}
  constexpr atomic(T value) : first_(value) {
    if (!is_constant_evaluated() && rl::is_ctx()) this->create(value);
  }
  atomic(const atomic&) = delete;
  const void* address() const { return this; }

private:
  [[maybe_unused]] T first_; // the checker has the value; this member gives the object its size
};

template <class T>
class atomic_ref : public model::Operations<T, atomic_ref<T>> {
public:
  explicit atomic_ref(T& object) : object_(&object) {}
  const void* address() const { return object_; }

private:
  T* object_;
};

inline model::Order order_of_site(unsigned site) {
  return {site};
}

using mutex = model::Mutex;

class condition_variable {
public:
  condition_variable() { model::memory.create<bool>(this, false); }
  template <class Guard, class Predicate>
  void wait(Guard& guard, Predicate predicate) {
    while (!predicate()) {
      guard.unlock();
      model::sleep(cell(), RL_INFO);
      guard.lock();
    }
  }
  void notify_one() { wake(1); }
  void notify_all() { wake(~0u); }

private:
  model::Memory::Cell<bool>& cell() { return model::memory.at<bool>(this, RL_INFO); }
  void wake(unsigned most) {
    rl::ctx().sched();
    model::wake(cell(), most, RL_INFO);
  }
  [[maybe_unused]] void* unused_ = nullptr;
};

inline void atomic_thread_fence(model::Order order) {
  const rl::memory_order wanted = order.of(model::is_fence);
  if (wanted != rl::mo_relaxed) rl::atomic_thread_fence(wanted, order.place());
}

} // namespace modelled_std

/// Replaces the name of an order in the driver's code, after `modelled_std::`.
#define MODEL_ORDER(name)                                                                                    \
  order_of_site(::model::NamedOrder<::model::Text(__FILE__), __LINE__, __COUNTER__, ::rl::mo_##name>::site)
