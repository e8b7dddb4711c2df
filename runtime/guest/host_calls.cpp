#include "runtime/guest/host_calls.hpp"

#include "compiler/abi/align.hpp"
#include "compiler/abi/check.hpp"
#include "runtime/host_callbacks/printing.hpp"
#include "runtime/launch/running_kernel.hpp"
#include "runtime/launch/traps.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hostcl::runtime::guest {

namespace {

constexpr Answer damaged{.reason = "a damaged call of the host"};

/// A copy of a message, which the guest cannot change any more. Its parts lie within the message.
class Call {
public:
  explicit Call(const CallMessage& message) {
    std::memcpy(&what_, &message.call, sizeof what_);
    std::memcpy(numbers_.data(), message.numbers, sizeof message.numbers);
    std::memcpy(sizes_.data(), message.sizes, sizeof message.sizes);
    std::size_t total = 0;
    for (const std::uint32_t size : sizes_)
      total += abi::aligned(std::size_t{size}, CallMessage::part_alignment);
    is_valid_ = total <= CallMessage::most_bytes;
    if (!is_valid_) return;
    words_.resize(total / sizeof(std::uint64_t));
    if (total != 0) std::memcpy(words_.data(), message.bytes, total);
  }

  bool is_valid() const { return is_valid_; }
  HostCall what() const { return what_; }
  std::uint64_t number(std::size_t i) const { return numbers_[i]; }
  std::span<const std::byte> part(std::size_t i) const {
    std::size_t offset = 0;
    for (std::size_t before = 0; before < i; ++before)
      offset += abi::aligned(std::size_t{sizes_[before]}, CallMessage::part_alignment);
    return std::as_bytes(std::span(words_)).subspan(offset, sizes_[i]);
  }
  std::string text(std::size_t i) const {
    const auto bytes = part(i);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  /// A part that is an array of words.
  std::span<const std::uint64_t> words(std::size_t i) const {
    const auto bytes = part(i);
    return {reinterpret_cast<const std::uint64_t*>(bytes.data()), bytes.size() / sizeof(std::uint64_t)};
  }
  /// A part that is a range, if it has the size of one.
  std::optional<abi::BlockRange> range(std::size_t i) const {
    abi::BlockRange range;
    const auto bytes = part(i);
    if (bytes.size() != sizeof range) return std::nullopt;
    std::memcpy(&range, bytes.data(), sizeof range);
    return range;
  }

private:
  HostCall what_{};
  std::array<std::uint64_t, CallMessage::most_numbers> numbers_{};
  std::array<std::uint32_t, CallMessage::most_parts> sizes_{};
  std::vector<std::uint64_t> words_;
  bool is_valid_ = false;
};

/// Keeps the reason of a trap. The kernel is left in the guest, so the calling thread need not jump.
Answer note_trap(const Call& call) {
  const RunningKernel* kernel = running_kernel();
  if (!kernel) return {.reason = "a trap"}; // a constructor in program scope
  const std::string what = call.text(0), place = call.text(1), source = call.text(2),
                    expression = call.text(3), file = call.text(4), function = call.text(5);
  const abi::TrapSite site{what.c_str(), place.c_str(), source.c_str(),
                           static_cast<std::uint32_t>(call.number(4)),
                           static_cast<std::uint32_t>(call.number(5))};
  TrapProperties trap{.kernel = kernel->signature->name, .site = site, .global_id = std::nullopt};
  if (call.number(3) != 0) trap.global_id = std::array{call.number(0), call.number(1), call.number(2)};
  if (!expression.empty()) {
    trap.expression = expression.c_str();
    trap.file = file.c_str();
    trap.function = function.c_str();
    trap.line = call.number(6);
  }
  kernel->trap_exit->traps.note(trap, kernel->trap_exit->range);
  return {Turn::abandoned};
}

Answer enqueue_kernel(const Call& call, CallMessage& message, const abi::Launch& launch) {
  constexpr std::uint32_t largest_alignment = 4096;
  const auto range = call.range(0);
  const auto alignment = static_cast<std::uint32_t>(call.number(3));
  if (!range || (alignment != 0 && (!std::has_single_bit(alignment) || alignment > largest_alignment)))
    return damaged;
  const auto waits = call.words(1), local_sizes = call.words(3);
  const auto wait_count = static_cast<std::uint32_t>(call.number(5));
  const bool has_waits = call.number(6) != 0;
  if (has_waits && waits.size() != wait_count) return damaged;
  const auto literal = call.part(2);
  std::uint64_t event = abi::no_event;
  const abi::BlockLaunch child{.queue = call.number(0),
                               .flags = static_cast<std::int32_t>(call.number(1)),
                               .range = &*range,
                               .wait_count = wait_count,
                               .waits = has_waits ? waits.data() : nullptr,
                               .event = call.number(4) != 0 ? &event : nullptr,
                               .kernel = call.number(2),
                               .literal = literal.empty() ? nullptr : literal.data(),
                               .literal_bytes = static_cast<std::uint32_t>(literal.size()),
                               .literal_alignment = alignment,
                               .local_count = static_cast<std::uint32_t>(local_sizes.size()),
                               .local_sizes = local_sizes.data()};
  const abi::HostCallbacks& host = *launch.host_callbacks;
  message.result = static_cast<std::uint64_t>(host.enqueue_kernel(host.context, &launch, &child));
  message.event = event;
  return {};
}

Answer enqueue_marker(const Call& call, CallMessage& message, const abi::Launch& launch) {
  const auto waits = call.words(0);
  std::uint64_t event = abi::no_event;
  const abi::HostCallbacks& host = *launch.host_callbacks;
  message.result = static_cast<std::uint64_t>(
      host.enqueue_marker(host.context, &launch, call.number(0), static_cast<std::uint32_t>(waits.size()),
                          waits.data(), call.number(1) != 0 ? &event : nullptr));
  message.event = event;
  return {};
}

Answer capture_event_profile(const Call& call, const abi::Launch& launch, const SharedMemory& data) {
  auto* values = reinterpret_cast<std::uint64_t*>(call.number(2));
  if (!data.contains(values, 2 * sizeof *values) || call.number(2) % alignof(std::uint64_t) != 0)
    return damaged;
  const abi::HostCallbacks& host = *launch.host_callbacks;
  host.capture_event_profile(host.context, call.number(0), static_cast<std::int32_t>(call.number(1)), values);
  return {};
}

} // namespace

Answer answer(CallMessage& message, const abi::Launch& launch, const SharedMemory& data) {
  const Call call(message);
  if (!call.is_valid()) return damaged;
  const abi::HostCallbacks& host = *launch.host_callbacks;
  switch (call.what()) {
  case HostCall::print:
    message.result = print_text(call.text(0)) ? 0 : ~std::uint64_t{0};
    return {};
  case HostCall::trap:
    return note_trap(call);
  case HostCall::enqueue_kernel:
    return enqueue_kernel(call, message, launch);
  case HostCall::enqueue_marker:
    return enqueue_marker(call, message, launch);
  case HostCall::query_block: {
    const auto range = call.range(0);
    message.result = host.query_block(host.context, &launch, static_cast<abi::BlockQuery>(call.number(0)),
                                      call.number(1), range ? &*range : nullptr);
    return {};
  }
  case HostCall::create_user_event:
    message.result = host.create_user_event(host.context);
    return {};
  case HostCall::retain_event:
    host.retain_event(host.context, call.number(0));
    return {};
  case HostCall::release_event:
    host.release_event(host.context, call.number(0));
    return {};
  case HostCall::is_valid_event:
    message.result = host.is_valid_event(host.context, call.number(0));
    return {};
  case HostCall::set_user_event_status:
    host.set_user_event_status(host.context, call.number(0), static_cast<std::int32_t>(call.number(1)));
    return {};
  case HostCall::capture_event_profile:
    return capture_event_profile(call, launch, data);
  }
  return damaged;
}

} // namespace hostcl::runtime::guest
