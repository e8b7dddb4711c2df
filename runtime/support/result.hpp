#pragma once

// Errors as values: an OpenCL error code and a message for users.

#include "runtime/support/cl.hpp"

#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hostcl::runtime {

/// A failed call: the code that the application gets, and a sentence that names the argument and its value. The
/// sentence is held by a pointer, so that Result moves only two words if there is no error.
class [[nodiscard]] Error {
public:
  Error() = default;
  explicit Error(cl_int code) noexcept : code_(code) {}
  Error(cl_int code, std::string sentence)
      : code_(code), sentence_(std::make_unique<std::string>(std::move(sentence))) {}

  cl_int code() const { return code_; }
  std::string_view sentence() const { return sentence_ ? std::string_view(*sentence_) : std::string_view(); }

private:
  cl_int code_ = CL_SUCCESS;
  std::unique_ptr<std::string> sentence_;
};

/// A text of the parts, each as an ostream writes it.
template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream stream;
  (stream << ... << parts);
  return std::move(stream).str();
}

/// Makes an Error from the parts of its sentence. If there is no memory for the sentence, the Error has the code only.
template <class... Parts>
[[gnu::cold, gnu::noinline]] Error fail(cl_int code, const Parts&... parts) noexcept {
  try {
    return Error(code, text(parts...));
  } catch (const std::bad_alloc&) {
    return Error(code);
  }
}

/// Success or an Error, without a value.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}

  bool ok() const { return error_.code() == CL_SUCCESS; }
  Error error() && { return std::move(error_); }
  void value() && {}

private:
  Error error_;
};

/// A value or an Error. T may be a reference.
template <class T>
class [[nodiscard]] Result {
  using Stored = std::conditional_t<std::is_reference_v<T>, std::remove_reference_t<T>*, T>;

public:
  Result(T value)
    requires std::is_reference_v<T>
      : value_(&value) {}
  Result(T value)
    requires(!std::is_reference_v<T>)
      : value_(std::move(value)) {}
  Result(Error error) : error_(std::move(error)) {}
  /// A failed call that returns a value nevertheless: clLinkProgram() returns the program, which has the log.
  Result(T value, Error error) : value_(std::move(value)), error_(std::move(error)) {}

  bool ok() const { return error_.code() == CL_SUCCESS; }
  const Error& error() const& { return error_; }
  Error error() && { return std::move(error_); }
  /// The value. For a failed call, the value that the last constructor was given, otherwise null.
  T value() && {
    if constexpr (std::is_reference_v<T>)
      return *value_;
    else
      return std::move(value_);
  }

private:
  Stored value_{};
  Error error_;
};

} // namespace hostcl::runtime

#define HOSTCL_JOIN2(a, b) a##b
#define HOSTCL_JOIN(a, b) HOSTCL_JOIN2(a, b)
#define HOSTCL_TRY_STATUS(expression)                                                                        \
  if (auto hostcl_result = (expression); !hostcl_result.ok()) return std::move(hostcl_result).error()
#define HOSTCL_TRY_VALUE(declaration, expression)                                                            \
  auto HOSTCL_JOIN(hostcl_result_, __LINE__) = (expression);                                                 \
  if (!HOSTCL_JOIN(hostcl_result_, __LINE__).ok())                                                           \
    return std::move(HOSTCL_JOIN(hostcl_result_, __LINE__)).error();                                         \
  declaration = std::move(HOSTCL_JOIN(hostcl_result_, __LINE__)).value()
#define HOSTCL_TRY_PICK(first, second, name, ...) name

/// TRY(Queue& queue, object_cast<Queue>(handle)); declares `queue`, or returns the error from this function.
/// TRY(validate_something()); returns the error, if there is one.
#define TRY(...) HOSTCL_TRY_PICK(__VA_ARGS__, HOSTCL_TRY_VALUE, HOSTCL_TRY_STATUS, )(__VA_ARGS__)
