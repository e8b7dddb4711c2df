#pragma once

// Serialises values for messages between two processes of the same build.
//
// A class that is not trivially copyable has a function `fields(archive, value)` in its namespace, which calls the
// archive with the members of the value. Packer and Unpacker are archives, so one list of members serves for both
// directions.

#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hostcl::compiler {

/// Appends values to a message.
class Packer {
public:
  template <class... T>
  void operator()(const T&... values) {
    (add(values), ...);
  }
  std::span<const std::byte> bytes() const { return bytes_; }

private:
  void append(const void* from, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(from);
    bytes_.insert(bytes_.end(), first, first + size);
  }
  void add(std::string_view text) {
    add(text.size());
    append(text.data(), text.size());
  }
  void add(const std::string& text) { add(std::string_view(text)); }
  template <class T>
  void add(std::span<const T> values) {
    add(values.size());
    if constexpr (std::is_trivially_copyable_v<T>)
      append(values.data(), values.size_bytes());
    else
      for (const T& value : values)
        add(value);
  }
  template <class T>
  void add(const std::vector<T>& values) {
    add(std::span<const T>(values));
  }
  template <class T>
  void add(const std::optional<T>& value) {
    add(value.has_value());
    if (value) add(*value);
  }
  template <class T>
  void add(const T& value) {
    static_assert(!std::is_pointer_v<T>);
    if constexpr (std::is_trivially_copyable_v<T>)
      append(&value, sizeof value);
    else
      fields(*this, const_cast<T&>(value)); // a Packer only reads the members
  }

  std::vector<std::byte> bytes_;
};

/// Takes values from a message in their order.
class Unpacker {
public:
  explicit Unpacker(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class... T>
  void operator()(T&... values) {
    (take(values), ...);
  }
  /// Whether the message had all values that were taken, and has no further bytes.
  bool is_complete() const { return is_whole_ && rest_.empty(); }

private:
  void copy(void* to, std::size_t size) {
    is_whole_ = is_whole_ && size <= rest_.size();
    if (!is_whole_ || size == 0) return;
    std::memcpy(to, rest_.data(), size);
    rest_ = rest_.subspan(size);
  }
  /// Reads the length of a list and resizes the list.
  /// @param element_bytes bytes that each element takes in the message at least; a length that the rest of the message
  /// cannot have is refused
  template <class List>
  void resize(List& list, std::size_t element_bytes) {
    std::size_t count = 0;
    take(count);
    is_whole_ = is_whole_ && count <= rest_.size() / element_bytes;
    list.resize(is_whole_ ? count : 0);
  }
  void take(std::string& text) {
    resize(text, 1);
    copy(text.data(), text.size());
  }
  template <class T>
  void take(std::vector<T>& values) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      resize(values, sizeof(T));
      copy(values.data(), values.size() * sizeof(T));
    } else {
      resize(values, 1);
      for (T& value : values)
        take(value);
    }
  }
  template <class T>
  void take(std::optional<T>& value) {
    bool has_value = false;
    take(has_value);
    if (is_whole_ && has_value) take(value.emplace());
  }
  template <class T>
  void take(T& value) {
    if constexpr (std::is_trivially_copyable_v<T>)
      copy(&value, sizeof value);
    else
      fields(*this, value);
  }

  std::span<const std::byte> rest_;
  bool is_whole_ = true;
};

} // namespace hostcl::compiler
