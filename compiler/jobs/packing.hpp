#pragma once

// Serialises values: requests and replies of jobs (job.hpp), for messages between two processes of the same build, for
// entries of the disk cache, and for the keys of these entries.
//
// An object whose bytes are not its serialised form (PlainBytes) is serialised member by member. A class that
// structured bindings cannot take apart, because its members are private or belong to several classes, has a member
// function fields(), which returns references to all members (std::tie).

#include <concepts>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace hostcl::compiler {

/// Whether the bytes of a value are its serialised form: the type is trivially copyable, has no padding, and is no
/// pointer. The concept does not notice members that are pointers.
template <class T>
concept PlainBytes = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> &&
                     (std::has_unique_object_representations_v<T> || std::floating_point<T>);

#pragma clang diagnostic push
#pragma clang diagnostic ignored                                                                             \
    "-Wc++26-extensions" // a pack of members, which clang has in all versions of C++

/// Calls `visit` with all members of an object, which may be const if `visit` only reads them.
template <class T, class Visit>
void visit_members(T& object, Visit& visit) {
  if constexpr (requires(std::remove_const_t<T>& writable) { writable.fields(); }) {
    std::apply(visit, const_cast<std::remove_const_t<T>&>(object).fields());
  } else {
    auto& [... members] = object;
    visit(members...);
  }
}

#pragma clang diagnostic pop

/// Appends values to a message.
class Packer {
public:
  template <class... T>
  void operator()(const T&... values) {
    (add(values), ...);
  }
  std::vector<std::byte> bytes() && { return std::move(bytes_); }

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
    if constexpr (PlainBytes<T>)
      append(values.data(), values.size_bytes());
    else
      for (const T& value : values)
        add(value);
  }
  template <class T>
  void add(const std::vector<T>& values) {
    add(std::span<const T>(values));
  }
  template <class T, std::size_t count>
  void add(const T (&values)[count]) {
    for (const T& value : values)
      add(value);
  }
  template <class T>
  void add(const std::optional<T>& value) {
    add(value.has_value());
    if (value) add(*value);
  }
  template <class T>
  void add(const std::shared_ptr<const T>& value) {
    add(value != nullptr);
    if (value) add(*value);
  }
  template <class T>
  void add(const T& value) {
    if constexpr (PlainBytes<T>)
      append(&value, sizeof value);
    else
      visit_members(value, *this);
  }

  std::vector<std::byte> bytes_;
};

/// Reads values from a message, in the order in which they were appended.
class Unpacker {
public:
  explicit Unpacker(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class... T>
  void operator()(T&... values) {
    (take(values), ...);
  }
  /// Whether the message contained all values that were read, and nothing else.
  bool is_complete() const { return is_whole_ && rest_.empty(); }

private:
  void copy(void* to, std::size_t size) {
    is_whole_ = is_whole_ && size <= rest_.size();
    if (!is_whole_ || size == 0) return;
    std::memcpy(to, rest_.data(), size);
    rest_ = rest_.subspan(size);
  }
  /// Reads the size of a list and resizes the list. An element has at least `element_bytes` in the message, so a size
  /// that is larger than the rest of the message is refused.
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
    if constexpr (PlainBytes<T>) {
      resize(values, sizeof(T));
      copy(values.data(), values.size() * sizeof(T));
    } else {
      resize(values, 1);
      for (T& value : values)
        take(value);
    }
  }
  template <class T, std::size_t count>
  void take(T (&values)[count]) {
    for (T& value : values)
      take(value);
  }
  template <class T>
  void take(std::optional<T>& value) {
    bool has_value = false;
    take(has_value);
    if (is_whole_ && has_value) take(value.emplace());
  }
  template <class T>
  void take(std::shared_ptr<const T>& value) {
    bool has_value = false;
    take(has_value);
    if (!is_whole_ || !has_value) return;
    auto taken = std::make_shared<T>();
    take(*taken);
    value = std::move(taken);
  }
  template <class T>
  void take(T& value) {
    if constexpr (PlainBytes<T>)
      copy(&value, sizeof value);
    else
      visit_members(value, *this);
  }

  std::span<const std::byte> rest_;
  bool is_whole_ = true;
};

/// Values as a message.
template <class... T>
std::vector<std::byte> packed(const T&... values) {
  Packer pack;
  pack(values...);
  return std::move(pack).bytes();
}

/// Reads values from a message of packed(). @returns whether the message has these values, and nothing else
template <class... T>
bool unpack(std::span<const std::byte> bytes, T&... values) {
  Unpacker unpacker(bytes);
  unpacker(values...);
  return unpacker.is_complete();
}

} // namespace hostcl::compiler
