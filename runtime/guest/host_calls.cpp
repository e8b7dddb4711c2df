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

constexpr Answer damaged{.reason = "a damaged host call"};

/// A copy of a message, so that the guest cannot change it any more. If is_valid(), all parts lie within the message.
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

/// Records a trap. The guest leaves the kernel, so the calling thread returns as usual.
Answer note_trap(const Call& call) {
  const RunningKernel* kernel = running_kernel();
  if (!kernel) return {.reason = "a trap"}; // of a program-scope constructor
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

Answer capture_event_profile(const Call& call, const abi::Launch& launch, const CallMemory& memory) {
  auto* values = reinterpret_cast<std::uint64_t*>(call.number(2));
  constexpr std::size_t bytes = 2 * sizeof *values;
  const std::uint64_t offset = call.number(2) - reinterpret_cast<std::uint64_t>(memory.variables.data());
  const bool is_variable = offset < memory.variables.size() && memory.variables.size() - offset >= bytes;
  if ((!is_variable && !memory.data.contains(values, bytes)) || call.number(2) % alignof(std::uint64_t) != 0)
    return damaged;
  const abi::HostCallbacks& host = *launch.host_callbacks;
  host.capture_event_profile(host.context, call.number(0), static_cast<std::int32_t>(call.number(1)), values);
  return {};
}

// ---- Checks

/// Whether a text that ends with a null character begins at the address, in memory that kernels cannot write.
bool is_text(const char* text, std::span<const std::byte> constants) {
  const auto offset =
      reinterpret_cast<std::uintptr_t>(text) - reinterpret_cast<std::uintptr_t>(constants.data());
  return offset < constants.size() && std::memchr(text, 0, constants.size() - offset) != nullptr;
}

/// The site of a check at the address, or null. A hostile program may have constants that look like a site. Such a site
/// does no harm, because the application accepts a site only if each address in the site is that of a text or a site in
/// these constants.
/// @param is_other whether the address is CheckSite::other of another site
const abi::CheckSite* site_at(std::uint64_t address, std::span<const std::byte> constants,
                              bool is_other = false) {
  const auto offset = address - reinterpret_cast<std::uintptr_t>(constants.data());
  if (offset >= constants.size() || constants.size() - offset < sizeof(abi::CheckSite) ||
      address % alignof(abi::CheckSite) != 0)
    return nullptr;
  const auto* site = reinterpret_cast<const abi::CheckSite*>(address);
  for (const char* text : {site->check, site->kernel, site->file, site->source, site->object, site->sentence})
    if (!is_text(text, constants)) return nullptr;
  if (site->other && (is_other || !site_at(reinterpret_cast<std::uint64_t>(site->other), constants, true)))
    return nullptr;
  return site;
}

/// Answers a host call of a checked kernel.
Answer answer_check(const Call& call, CallMessage& message, const abi::Launch& launch,
                    std::span<const std::byte> constants) {
  const abi::HostCallbacks& host = *launch.host_callbacks;
  const auto number = [&](std::size_t i) { return call.number(i); };
  const auto half = [&](std::size_t i) { return static_cast<std::uint32_t>(call.number(i)); };
  switch (call.what()) {
  case HostCall::object_low_at:
    message.result = static_cast<std::uint64_t>(host.object_low_at(host.context, number(0)));
    return {};
  case HostCall::object_size_at:
    message.result = host.object_size_at(host.context, number(0));
    return {};
  case HostCall::convergence_arrive:
    host.convergence_arrive(host.context, &launch, half(0) & 1, number(1), number(2), number(3), number(4),
                            number(5), number(6));
    return {};
  default:
    break;
  }
  constexpr std::size_t place_in_report = 7, place_in_access = 3;
  const bool is_report = call.what() == HostCall::report, is_access = call.what() == HostCall::command_access;
  const std::size_t place = is_report ? place_in_report : is_access ? place_in_access : 0;
  const abi::CheckSite* site = site_at(number(place), constants);
  if (!site) return damaged;
  if (is_report)
    host.report(host.context, &launch, number(0), number(1), number(2), number(3), number(4), number(5),
                number(6), site);
  else if (is_access)
    host.command_access(host.context, &launch, number(0), number(1), half(2), site);
  else
    message.result = host.convergence_result(host.context, &launch, site);
  return {};
}

} // namespace

Answer answer(CallMessage& message, const abi::Launch& launch, const CallMemory& memory) {
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
    return capture_event_profile(call, launch, memory);
  case HostCall::report:
  case HostCall::object_low_at:
  case HostCall::object_size_at:
  case HostCall::convergence_arrive:
  case HostCall::convergence_result:
  case HostCall::command_access:
    return answer_check(call, message, launch, memory.constants);
  }
  return damaged;
}

} // namespace hostcl::runtime::guest
