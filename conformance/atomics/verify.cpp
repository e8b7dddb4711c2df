// Whether results can be explained: some serial order of the items' operations must give them.

#include "conformance/atomics/case.hpp"

#include <CL/cl_half.h>
#include <algorithm>
#include <cstring>
#include <limits>
#include <set>
#include <type_traits>

namespace conformance {
namespace {

template <class T>
std::string text(T value) {
  return std::to_string(value);
}

/// Arithmetic as the device does it: integers wrap.
template <class T>
T add(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
  else
    return a + b;
}

template <class T>
class Check {
public:
  Check(const Case& test, std::vector<T> returned, T final)
      : test_(test),
        returned_(std::move(returned)),
        final_(final),
        initial_(static_cast<T>(initial_of(test))) {}

  std::string operator()() const {
    switch (test_.function) {
    case Function::init:
      return all_equal(T(42));
    case Function::load:
      return all_equal(initial_);
    case Function::store:
      return store();
    case Function::exchange:
      return exchange();
    case Function::compare_exchange_strong:
    case Function::compare_exchange_weak:
      return count(T(1));
    case Function::fetch_add:
      return count(operand(0));
    case Function::fetch_sub:
      return count(static_cast<T>(0 - operand(0)));
    case Function::fetch_or:
      return bits(false);
    case Function::fetch_and:
      return bits(true);
    case Function::fetch_xor:
      return toggles();
    case Function::fetch_min:
      return extreme([](T a, T b) { return a < b; });
    case Function::fetch_max:
      return extreme([](T a, T b) { return b < a; });
    case Function::flag_test_and_set:
      return one_false();
    case Function::flag_clear:
      return all_equal(T(0), false);
    }
    return "no check";
  }

private:
  T operand(unsigned item) const { return static_cast<T>(operand_of(test_, item)); }

  std::string all_equal(T value, bool final_too = true) const {
    for (T returned : returned_)
      if (returned != value) return "an item saw " + text(returned) + " instead of " + text(value);
    if (final_too && final_ != value) return "the object is " + text(final_) + " instead of " + text(value);
    return {};
  }

  std::string store() const {
    for (unsigned i = 0; i < returned_.size(); ++i)
      if (final_ == operand(i)) return {};
    return "the object is " + text(final_) + ", which no item stored";
  }

  /// All values but the last one were returned, each once.
  std::string exchange() const {
    std::multiset<T> got(returned_.begin(), returned_.end()), put{initial_};
    got.insert(final_);
    for (unsigned i = 0; i < returned_.size(); ++i)
      put.insert(operand(i));
    return got == put ? "" : "values were lost or doubled";
  }

  /// Each item saw another multiple of the step.
  std::string count(T step) const {
    std::set<T> expected;
    T value = initial_;
    for (size_t i = 0; i < returned_.size(); ++i, value = add(value, step))
      expected.insert(value);
    if (final_ != value) return "the object is " + text(final_) + " instead of " + text(value);
    const std::set<T> got(returned_.begin(), returned_.end());
    if (got.size() != returned_.size()) return "a value was returned twice";
    return got == expected ? "" : "values were returned that the object never had";
  }

  /// For each bit exactly one item changed it. `clearing` for and, else or.
  std::string bits(bool clearing) const {
    if constexpr (std::is_integral_v<T>) {
      const unsigned width = sizeof(T) * 8;
      std::vector<unsigned> changed(width, 0);
      for (unsigned i = 0; i < returned_.size(); ++i) {
        const bool was_set = (static_cast<std::make_unsigned_t<T>>(returned_[i]) >> (i % width)) & 1;
        changed[i % width] += was_set == clearing;
      }
      for (unsigned bit = 0; bit < width; ++bit) {
        const unsigned expected = bit < returned_.size() ? 1 : 0;
        if (changed[bit] != expected)
          return "bit " + std::to_string(bit) + " was changed " + std::to_string(changed[bit]) + " times";
      }
      if (final_ != static_cast<T>(clearing ? 0 : -1)) return "the object is " + text(final_);
    }
    return {};
  }

  /// Every other one of the items that toggle a bit saw it clear.
  std::string toggles() const {
    if constexpr (std::is_integral_v<T>) {
      const unsigned width = sizeof(T) * 8;
      std::vector<int> clear(width, 0), all(width, 0);
      for (unsigned i = 0; i < returned_.size(); ++i) {
        clear[i % width] += !((static_cast<std::make_unsigned_t<T>>(returned_[i]) >> (i % width)) & 1);
        ++all[i % width];
      }
      for (unsigned bit = 0; bit < width; ++bit) {
        if (clear[bit] != (all[bit] + 1) / 2) return "bit " + std::to_string(bit) + " did not alternate";
        const bool set = (static_cast<std::make_unsigned_t<T>>(final_) >> bit) & 1;
        if (set != (all[bit] % 2 == 1)) return "the object is " + text(final_);
      }
    }
    return {};
  }

  /// Items whose operand won form a chain from the initial to the final value; each link was replaced once.
  template <class Better>
  std::string extreme(Better better) const {
    std::multiset<T> replaced, links{initial_};
    T best = initial_;
    for (unsigned i = 0; i < returned_.size(); ++i) {
      if (better(operand(i), best)) best = operand(i);
      if (!better(operand(i), returned_[i])) continue;
      replaced.insert(returned_[i]);
      links.insert(operand(i));
    }
    if (final_ != best) return "the object is " + text(final_) + " instead of " + text(best);
    for (T returned : returned_)
      if (!links.count(returned)) return "an item saw " + text(returned) + ", which the object never was";
    replaced.insert(final_);
    return replaced == links ? "" : "a value was replaced twice";
  }

  std::string one_false() const {
    const auto clear = std::count(returned_.begin(), returned_.end(), T(0));
    return clear == 1 ? "" : std::to_string(clear) + " items found the flag clear";
  }

  const Case& test_;
  std::vector<T> returned_;
  T final_, initial_;
};

template <class T>
T decode(const void* data, size_t index) {
  T value;
  std::memcpy(&value, static_cast<const char*>(data) + index * sizeof value, sizeof value);
  return value;
}

template <class T, class Decode>
std::string verify_objects(const Case& test, Decode at, const void* returned, const void* final) {
  const unsigned sharers = sharers_of(test), items = groups_of(test) * group_size;
  for (unsigned object = 0; object * sharers < items; ++object) {
    std::vector<T> values(sharers);
    for (unsigned i = 0; i < sharers; ++i)
      values[i] = at(returned, object * sharers + i);
    std::string wrong = Check<T>(test, std::move(values), at(final, object))();
    if (!wrong.empty()) return wrong;
  }
  return {};
}

template <class T>
std::string verify_as(const Case& test, const void* returned, const void* final) {
  return verify_objects<T>(test, decode<T>, returned, final);
}

} // namespace

unsigned groups_of(const Case& test) {
  const std::string scope = test.scope;
  const bool needs_one_group = test.function == Function::init || test.function == Function::flag_clear;
  return !test.local_object() && (needs_one_group || scope == "work_group") ? 1 : groups;
}

unsigned sharers_of(const Case& test) {
  return test.local_object() ? group_size : groups_of(test) * group_size;
}

std::int64_t initial_of(const Case& test) {
  const bool wide = test.type.size == 8;
  switch (test.function) {
  case Function::fetch_or:
  case Function::fetch_xor:
  case Function::flag_test_and_set:
  case Function::flag_clear:
    return 0;
  case Function::fetch_and:
    return -1;
  case Function::fetch_min:
  case Function::fetch_max:
    return 50;
  case Function::fetch_add: // so close to the end that the sum wraps
    if (test.type.kind == Kind::floating) return 7;
    return wide ? std::numeric_limits<std::int64_t>::max() - 100
                : std::numeric_limits<std::int32_t>::max() - 100;
  case Function::fetch_sub:
    if (test.type.kind == Kind::floating) return 7;
    if (test.type.kind == Kind::unsigned_integer) return 100;
    return wide ? std::numeric_limits<std::int64_t>::min() + 100
                : std::numeric_limits<std::int32_t>::min() + 100;
  default:
    return 5;
  }
}

std::int64_t operand_of(const Case& test, unsigned item) {
  const unsigned bits = test.type.size * 8;
  switch (test.function) {
  case Function::fetch_add:
  case Function::fetch_sub:
    return test.type.kind == Kind::floating ? 1 : 3;
  case Function::fetch_or:
  case Function::fetch_xor:
    return static_cast<std::int64_t>(std::uint64_t(1) << (item % bits));
  case Function::fetch_and:
    return ~static_cast<std::int64_t>(std::uint64_t(1) << (item % bits));
  case Function::fetch_min:
  case Function::fetch_max:
    return std::int64_t(item * 37 % 256) - 100;
  default:
    return item + 1;
  }
}

std::string verify(const Case& test, const void* returned, const void* final) {
  switch (test.type.kind) {
  case Kind::signed_integer:
    return test.type.size == 4 ? verify_as<std::int32_t>(test, returned, final)
                               : verify_as<std::int64_t>(test, returned, final);
  case Kind::unsigned_integer:
    return test.type.size == 4 ? verify_as<std::uint32_t>(test, returned, final)
                               : verify_as<std::uint64_t>(test, returned, final);
  case Kind::floating:
    break;
  }
  if (test.type.size == 8) return verify_as<double>(test, returned, final);
  if (test.type.size == 4) return verify_as<float>(test, returned, final);
  const auto from_half = [](const void* data, size_t index) {
    return cl_half_to_float(decode<cl_half>(data, index));
  };
  return verify_objects<float>(test, from_half, returned, final);
}

} // namespace conformance
