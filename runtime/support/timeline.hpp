#pragma once

// HOSTCL_TRACE=FILE: a timeline of API calls, builds, commands and ranges of work-groups on their threads, in
// the JSON of Chrome's trace viewer, which Perfetto (https://ui.perfetto.dev) opens.

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace hostcl::runtime::timeline {

/// True while events are recorded. Set when the driver is loaded, if HOSTCL_TRACE is set. Becomes false if a
/// write fails, and in a child of fork().
inline constinit std::atomic<bool> recording{false};
inline bool is_on() {
  return recording.load(std::memory_order_relaxed);
}

enum class Category { api, build, command, groups };

/// JSON text of bounded length; parts that do not fit are left out.
class Text {
public:
  Text& operator<<(std::string_view raw);
  Text& operator<<(std::uint64_t number);
  Text& operator<<(std::int64_t number);
  /// A string in quotes, with escapes.
  Text& quoted(std::string_view string);
  /// Nanoseconds as microseconds, the unit of the format.
  Text& microseconds(std::uint64_t ns);

  std::string_view view() const { return {text_, length_}; }
  std::size_t room() const { return sizeof(text_) - length_; }

private:
  std::size_t length_ = 0;
  char text_[720]; // not initialised, so that a Span costs nothing without a timeline
};

/// An event of the calling thread that lasts as long as the object exists. Events of one thread nest.
class Span {
public:
  Span() = default;
  Span(Category category, std::string_view name) {
    if (is_on()) [[unlikely]]
      begin(category, name);
  }
  ~Span() {
    if (began_) [[unlikely]]
      end();
  }
  Span(const Span&) = delete;

  void begin(Category category, std::string_view name);

  /// Adds an argument to the event's details.
  void argument(std::string_view key, std::integral auto value) {
    if (!began_) [[likely]]
      return;
    if constexpr (std::signed_integral<decltype(value)>)
      number(key, static_cast<std::int64_t>(value));
    else
      number(key, static_cast<std::uint64_t>(value));
  }
  void argument(std::string_view key, std::string_view value);
  void argument(std::string_view key, std::span<const std::uint64_t> values);

private:
  template <class Number>
  void number(std::string_view key, Number value);
  bool begin_argument(std::string_view key, std::size_t bytes);
  void end();

  std::uint64_t began_ = 0; ///< now_ns(); 0 if the event is not recorded
  bool has_arguments_ = false;
  Text text_;
};

} // namespace hostcl::runtime::timeline
