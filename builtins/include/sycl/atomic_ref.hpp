// sycl::atomic_ref (SYCL 2020, 4.15.3) for C++ for OpenCL kernels: `#include <sycl/atomic_ref.hpp>`.
#ifndef HOSTCL_SYCL_ATOMIC_REF_HPP
#define HOSTCL_SYCL_ATOMIC_REF_HPP

#ifndef __OPENCL_CPP_VERSION__
#error "sycl/atomic_ref.hpp needs C++ for OpenCL: build with -cl-std=CLC++2021"
#endif

namespace sycl {

enum class memory_order : int { relaxed, acquire, release, acq_rel, seq_cst };
inline constexpr memory_order memory_order_relaxed = memory_order::relaxed;
inline constexpr memory_order memory_order_acquire = memory_order::acquire;
inline constexpr memory_order memory_order_release = memory_order::release;
inline constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
inline constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;

enum class memory_scope : int { work_item, sub_group, work_group, device, system };
inline constexpr memory_scope memory_scope_work_item = memory_scope::work_item;
inline constexpr memory_scope memory_scope_sub_group = memory_scope::sub_group;
inline constexpr memory_scope memory_scope_work_group = memory_scope::work_group;
inline constexpr memory_scope memory_scope_device = memory_scope::device;
inline constexpr memory_scope memory_scope_system = memory_scope::system;

namespace access {
enum class address_space : int { global_space, local_space, private_space, generic_space };
} // namespace access

namespace detail {

constexpr ::memory_order native(memory_order order) {
  return order == memory_order::relaxed   ? ::memory_order_relaxed
         : order == memory_order::acquire ? ::memory_order_acquire
         : order == memory_order::release ? ::memory_order_release
         : order == memory_order::acq_rel ? ::memory_order_acq_rel
                                          : ::memory_order_seq_cst;
}

/// The order of a failed compare-exchange, which only reads.
constexpr memory_order without_write(memory_order order) {
  return order == memory_order::acq_rel   ? memory_order::acquire
         : order == memory_order::release ? memory_order::relaxed
                                          : order;
}

/// `cell`: the atomic type that stands for T; `value`: the type of its value; `unit`: the amount by which
/// fetch_add(1) changes it.
template <class T>
struct representation {
  static constexpr bool supported = false;
};
template <class Cell, class T>
struct arithmetic_representation {
  static constexpr bool supported = true, pointer = false;
  static constexpr bool integral = T(1) / T(2) == T(0);
  using cell = Cell;
  using value = T;
  using difference = T;
  static constexpr T unit = 1;
};
template <>
struct representation<int> : arithmetic_representation<atomic_int, int> {};
template <>
struct representation<unsigned int> : arithmetic_representation<atomic_uint, unsigned int> {};
template <>
struct representation<long> : arithmetic_representation<atomic_long, long> {};
template <>
struct representation<unsigned long> : arithmetic_representation<atomic_ulong, unsigned long> {};
template <>
struct representation<float> : arithmetic_representation<atomic_float, float> {};
template <>
struct representation<double> : arithmetic_representation<atomic_double, double> {};
template <class T>
struct representation<T*> {
  static constexpr bool supported = true, pointer = true, integral = false;
  using cell = atomic_ulong;
  using value = unsigned long;
  using difference = ptrdiff_t;
  static constexpr unsigned long unit = sizeof(T);
};

template <class Cell, access::address_space>
struct cell_pointer {
  using type = __generic Cell*;
};
template <class Cell>
struct cell_pointer<Cell, access::address_space::global_space> {
  using type = __global Cell*;
};
template <class Cell>
struct cell_pointer<Cell, access::address_space::local_space> {
  using type = __local Cell*;
};

} // namespace detail

template <class T, memory_order DefaultOrder, memory_scope DefaultScope,
          access::address_space AddressSpace = access::address_space::generic_space>
class atomic_ref {
  using form = detail::representation<T>;
  using cell = typename form::cell;
  using value = typename form::value;
  using cell_pointer = typename detail::cell_pointer<cell, AddressSpace>::type;
  static_assert(form::supported,
                "sycl::atomic_ref: T must be int, unsigned int, long, unsigned long, float, double, "
                "or a pointer");
  static_assert(DefaultOrder == memory_order::relaxed || DefaultOrder == memory_order::acq_rel ||
                    DefaultOrder == memory_order::seq_cst,
                "sycl::atomic_ref: the default order must be relaxed, acq_rel or seq_cst");
  static_assert(AddressSpace != access::address_space::private_space,
                "sycl::atomic_ref: the object must be in the global, local or generic address space");

public:
  using value_type = T;
  using difference_type = typename form::difference;

  static constexpr size_t required_alignment = alignof(T);
  static constexpr bool is_always_lock_free = true;
  static constexpr memory_order default_read_order =
      DefaultOrder == memory_order::acq_rel ? memory_order::acquire : DefaultOrder;
  static constexpr memory_order default_write_order =
      DefaultOrder == memory_order::acq_rel ? memory_order::release : DefaultOrder;
  static constexpr memory_order default_read_modify_write_order = DefaultOrder;
  static constexpr memory_scope default_scope = DefaultScope;
  static constexpr access::address_space address_space = AddressSpace;

  explicit atomic_ref(T& ref) : cell_((cell_pointer)(__generic cell*)&ref) {}
  atomic_ref(const atomic_ref& other) : cell_(other.cell_) {}
  atomic_ref& operator=(const atomic_ref&) = delete;

  bool is_lock_free() const { return true; }

  void store(T operand, memory_order order = default_write_order, memory_scope scope = default_scope) const {
    __opencl_atomic_store(cell_, to_value(operand), native(order, scope), all);
  }
  T operator=(T desired) const {
    store(desired);
    return desired;
  }
  T load(memory_order order = default_read_order, memory_scope scope = default_scope) const {
    return from_value(__opencl_atomic_load(cell_, native(order, scope), all));
  }
  operator T() const { return load(); }
  T exchange(T operand, memory_order order = default_read_modify_write_order,
             memory_scope scope = default_scope) const {
    return from_value(__opencl_atomic_exchange(cell_, to_value(operand), native(order, scope), all));
  }

  bool compare_exchange_strong(T& expected, T desired, memory_order success, memory_order failure,
                               memory_scope scope = default_scope) const {
    value seen = to_value(expected);
    bool equal =
        __opencl_atomic_compare_exchange_strong(cell_, &seen, to_value(desired), native(success, scope),
                                                native(detail::without_write(failure), scope), all);
    if (!equal) expected = from_value(seen);
    return equal;
  }
  bool compare_exchange_strong(T& expected, T desired, memory_order order = default_read_modify_write_order,
                               memory_scope scope = default_scope) const {
    return compare_exchange_strong(expected, desired, order, order, scope);
  }
  // A weak exchange may fail spuriously, but the host has no cheaper instruction for it.
  bool compare_exchange_weak(T& expected, T desired, memory_order success, memory_order failure,
                             memory_scope scope = default_scope) const {
    return compare_exchange_strong(expected, desired, success, failure, scope);
  }
  bool compare_exchange_weak(T& expected, T desired, memory_order order = default_read_modify_write_order,
                             memory_scope scope = default_scope) const {
    return compare_exchange_strong(expected, desired, order, order, scope);
  }

  // Arithmetic: on all types; pointers move by elements.
  T fetch_add(difference_type operand, memory_order order = default_read_modify_write_order,
              memory_scope scope = default_scope) const {
    return from_value(
        __opencl_atomic_fetch_add(cell_, value(operand) * form::unit, native(order, scope), all));
  }
  T fetch_sub(difference_type operand, memory_order order = default_read_modify_write_order,
              memory_scope scope = default_scope) const {
    return from_value(
        __opencl_atomic_fetch_sub(cell_, value(operand) * form::unit, native(order, scope), all));
  }
  T operator+=(difference_type operand) const { return fetch_add(operand) + operand; }
  T operator-=(difference_type operand) const { return fetch_sub(operand) - operand; }
  T operator++(int) const { return step<1>(); }
  T operator++() const { return step<1>() + 1; }
  T operator--(int) const { return step<-1>(); }
  T operator--() const { return step<-1>() - 1; }

  // Order: on integral and floating-point types.
  T fetch_min(T operand, memory_order order = default_read_modify_write_order,
              memory_scope scope = default_scope) const {
    static_assert(!form::pointer, "sycl::atomic_ref: fetch_min is not available on pointers");
    return __opencl_atomic_fetch_min(cell_, operand, native(order, scope), all);
  }
  T fetch_max(T operand, memory_order order = default_read_modify_write_order,
              memory_scope scope = default_scope) const {
    static_assert(!form::pointer, "sycl::atomic_ref: fetch_max is not available on pointers");
    return __opencl_atomic_fetch_max(cell_, operand, native(order, scope), all);
  }

  // Bits: on integral types.
  T fetch_and(T operand, memory_order order = default_read_modify_write_order,
              memory_scope scope = default_scope) const {
    static_assert(form::integral, "sycl::atomic_ref: fetch_and is available on integral types alone");
    return __opencl_atomic_fetch_and(cell_, operand, native(order, scope), all);
  }
  T fetch_or(T operand, memory_order order = default_read_modify_write_order,
             memory_scope scope = default_scope) const {
    static_assert(form::integral, "sycl::atomic_ref: fetch_or is available on integral types alone");
    return __opencl_atomic_fetch_or(cell_, operand, native(order, scope), all);
  }
  T fetch_xor(T operand, memory_order order = default_read_modify_write_order,
              memory_scope scope = default_scope) const {
    static_assert(form::integral, "sycl::atomic_ref: fetch_xor is available on integral types alone");
    return __opencl_atomic_fetch_xor(cell_, operand, native(order, scope), all);
  }
  T operator&=(T operand) const { return fetch_and(operand) & operand; }
  T operator|=(T operand) const { return fetch_or(operand) | operand; }
  T operator^=(T operand) const { return fetch_xor(operand) ^ operand; }

private:
  /// The scope of the host's atomic instructions, which includes all narrower scopes.
  static constexpr ::memory_scope all = ::memory_scope_all_svm_devices;

  /// No other work-item can see an object whose operations are ordered for one work-item only.
  static constexpr ::memory_order native(memory_order order, memory_scope scope) {
    return scope == memory_scope::work_item ? ::memory_order_relaxed : detail::native(order);
  }

  static value to_value(T x) { return (value)x; }
  static T from_value(value x) { return (T)x; }

  /// Adds 1 or -1.
  template <int by>
  T step() const {
    static_assert(form::integral || form::pointer,
                  "sycl::atomic_ref: ++ and -- are available on integral types and pointers alone");
    return by > 0 ? fetch_add(1) : fetch_sub(1);
  }

  cell_pointer cell_;
};

} // namespace sycl

#endif
