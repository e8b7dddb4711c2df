#pragma once

// Queries such as clGetDeviceInfo(): each type of object has a constexpr table with a row for each name. One
// function finds the row and answers the query.

#include "runtime/support/result.hpp"

#include <cstddef>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <ios>
#include <ranges>
#include <span>
#include <string>
#include <string_view>

namespace hostcl::runtime {

/// Where the answer to a query goes: the application's param_value_size, param_value and
/// param_value_size_ret.
class Answer {
public:
  Answer(std::size_t capacity, void* value, std::size_t* size)
      : capacity_(capacity), value_(value), size_(size) {}

  Status bytes(const void* data, std::size_t size) {
    if (value_ && capacity_ < size)
      return fail(CL_INVALID_VALUE, "param_value_size is ", capacity_, ", the answer has ", size, " bytes");
    if (value_ && size) std::memcpy(value_, data, size);
    if (size_) *size_ = size;
    return {};
  }
  Status string(std::string_view string) {
    // With the terminating zero, which a string_view need not have.
    return bytes(std::string(string).c_str(), string.size() + 1);
  }
  template <class T>
  Status array(std::span<const T> values) {
    return bytes(values.data(), values.size_bytes());
  }

  std::size_t capacity() const { return capacity_; }
  void* value() const { return value_; }
  std::size_t* size() const { return size_; }

private:
  std::size_t capacity_;
  void* value_;
  std::size_t* size_;
};

/// The answer to the query `name`.
template <class T>
struct Row {
  cl_uint name;
  Status (*answer)(const T& object, Answer& answer);
  /// Names of the versions of OpenCL and of the extensions that define the query, such as "2.1 cl_khr_il_program". If
  /// lacks_query() holds for them, the query fails. Empty: the query is always answered.
  std::string_view since = {};
};

/// Whether no device of the platform has one of these versions and extensions. Platform::instance() sets the function
/// if the devices are described; null: the platform has all queries.
inline bool (*lacks_query)(std::string_view since) = nullptr;

/// A row whose answer has the type `As`.
/// @param source a data member, a member function or a function of the object
template <class As, auto source, class T>
constexpr Row<T> row_of(cl_uint name, std::string_view since) {
  return {name,
          [](const T& object, Answer& answer) -> Status {
            As value = static_cast<As>(std::invoke(source, object));
            return answer.bytes(&value, sizeof(value));
          },
          since};
}

/// Makes rows for objects of type T, for example `Rows<Device>::value<cl_uint,
/// &Device::address_bits>(CL_DEVICE_ADDRESS_BITS)`.
template <class T>
struct Rows {
  template <class As, auto source>
  static constexpr Row<T> value(cl_uint name, std::string_view since = {}) {
    return row_of<As, source, T>(name, since);
  }
  template <class As, As fixed>
  static constexpr Row<T> constant(cl_uint name, std::string_view since = {}) {
    return {name,
            [](const T&, Answer& answer) -> Status {
              As value = fixed;
              return answer.bytes(&value, sizeof(value));
            },
            since};
  }
  template <auto source>
  static constexpr Row<T> string(cl_uint name) {
    return {name, [](const T& object, Answer& answer) -> Status {
              return answer.string(std::invoke(source, object));
            }};
  }
  /// An array: `source` is any contiguous range of plain values.
  template <auto source>
  static constexpr Row<T> array(cl_uint name, std::string_view since = {}) {
    return {name,
            [](const T& object, Answer& answer) -> Status {
              decltype(auto) values = std::invoke(source, object);
              return answer.bytes(std::ranges::data(values),
                                  std::ranges::size(values) * sizeof(*std::ranges::data(values)));
            },
            since};
  }
};

/// Finds the row of this name and answers the query. CL_INVALID_VALUE if no table has the name, or if lacks_query()
/// holds.
template <class T>
Status answer_query(std::initializer_list<std::span<const Row<T>>> tables, const T& object, cl_uint name,
                    Answer answer) {
  for (std::span<const Row<T>> rows : tables)
    for (const Row<T>& row : rows) {
      if (row.name != name) continue;
      if (lacks_query && !row.since.empty() && lacks_query(row.since))
        return fail(CL_INVALID_VALUE, "param_name 0x", std::hex, name, " is a query of ", row.since,
                    "; no device of the platform has one of these versions and extensions");
      return row.answer(object, answer);
    }
  return fail(CL_INVALID_VALUE, "param_name 0x", std::hex, name, " is not a query of this object");
}
template <class T, std::size_t count>
Status answer_query(const Row<T> (&rows)[count], const T& object, cl_uint name, Answer answer) {
  return answer_query({std::span<const Row<T>>(rows)}, object, name, answer);
}

} // namespace hostcl::runtime
