#include "runtime/guest/guest_callbacks.hpp"

#include "compiler/abi/align.hpp"
#include "compiler/abi/check.hpp"
#include "compiler/abi/printf.hpp"
#include "compiler/isolation/trap_handler.hpp"
#include "runtime/host_callbacks/host_callbacks.hpp"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>

namespace hostcl::runtime::guest {

constinit thread_local Lane* own_lane = nullptr;
constinit thread_local std::jmp_buf out_of_kernel{};

namespace {

/// A host call in the message of the calling thread's lane: the constructor and add() write it, make() makes it.
class Call {
public:
  Call(HostCall what, std::initializer_list<std::uint64_t> numbers) {
    message_.call = what;
    std::fill(std::begin(message_.numbers), std::end(message_.numbers), 0);
    std::ranges::copy(numbers, message_.numbers);
    std::fill(std::begin(message_.sizes), std::end(message_.sizes), 0);
  }

  /// Appends a part. If the message has no room for the part, has_room() is false from then on, and make() must not be
  /// called.
  Call& add(const void* first, std::size_t bytes) {
    has_room_ = has_room_ && bytes <= CallMessage::most_bytes - used_;
    if (has_room_) {
      if (bytes != 0) std::memcpy(message_.bytes + used_, first, bytes);
      message_.sizes[parts_] = static_cast<std::uint32_t>(bytes);
      used_ += abi::aligned(bytes, CallMessage::part_alignment);
    }
    ++parts_;
    return *this;
  }
  /// Appends a text, of which at most 2,000 bytes are kept.
  Call& add_text(const char* text) {
    constexpr std::size_t longest = 2000;
    return add(text, text ? strnlen(text, longest) : 0);
  }
  bool has_room() const { return has_room_; }

  /// Waits for the application's answer, and leaves the kernel if the answer says so. @returns CallMessage::result
  std::uint64_t make() {
    Turn turn = Turn::call;
    own_lane->turn.pass(turn);
    while ((turn = own_lane->turn.get()) == Turn::call)
      own_lane->turn.wait_while(turn, std::numeric_limits<std::int32_t>::max());
    if (turn == Turn::abandoned) std::longjmp(out_of_kernel, 1);
    return message_.result;
  }
  std::uint64_t event() const { return message_.event; }

private:
  CallMessage& message_ = own_lane->message;
  std::size_t used_ = 0, parts_ = 0;
  bool has_room_ = true;
};

constexpr std::int32_t too_large = -5; // CL_OUT_OF_RESOURCES, as the functions of OpenCL C return it

std::int32_t print(void*, const char* format, const std::byte* arguments) try {
  std::string message;
  bool is_right = compiler::format_message(message, format, arguments);
  for (std::string_view left = message; !left.empty();) {
    const std::string_view now = left.substr(0, CallMessage::most_bytes);
    is_right = Call(HostCall::print, {}).add(now.data(), now.size()).make() == 0 && is_right;
    left.remove_prefix(now.size());
  }
  return is_right ? 0 : -1;
} catch (const std::bad_alloc&) {
  return -1;
}

[[noreturn]] void tell_trap(std::initializer_list<std::uint64_t> numbers, const abi::TrapSite& site,
                            std::uint64_t expression, std::uint64_t file, std::uint64_t function) {
  const auto text_at = [](std::uint64_t address) { return reinterpret_cast<const char*>(address); };
  Call(HostCall::trap, numbers)
      .add_text(site.what)
      .add_text(site.file)
      .add_text(site.source)
      .add_text(text_at(expression))
      .add_text(text_at(file))
      .add_text(text_at(function))
      .make();
  std::longjmp(out_of_kernel, 1);
}

[[noreturn]] void trap(void*, const abi::Launch*, std::uint64_t global_x, std::uint64_t global_y,
                       std::uint64_t global_z, const abi::TrapSite* site, std::uint64_t expression,
                       std::uint64_t file, std::uint64_t line, std::uint64_t function) {
  tell_trap({global_x, global_y, global_z, 1, site->line, site->column, line}, *site, expression, file,
            function);
}

[[noreturn]] void trap_in_call(const abi::TrapSite* site) {
  tell_trap({0, 0, 0, 0, site->line, site->column, 0}, *site, 0, 0, 0);
}

std::int32_t enqueue_kernel(void*, const abi::Launch*, const abi::BlockLaunch* child) {
  const bool wants_event = child->event != nullptr;
  Call call(HostCall::enqueue_kernel,
            {child->queue, static_cast<std::uint64_t>(child->flags), child->kernel, child->literal_alignment,
             std::uint64_t{wants_event}, child->wait_count, std::uint64_t{child->waits != nullptr}});
  call.add(child->range, sizeof *child->range)
      .add(child->waits, child->waits ? child->wait_count * sizeof *child->waits : 0)
      .add(child->literal, child->literal ? child->literal_bytes : 0)
      .add(child->local_sizes, child->local_count * sizeof *child->local_sizes);
  if (!call.has_room()) return too_large;
  const auto status = static_cast<std::int32_t>(call.make());
  if (wants_event && status == 0) *child->event = call.event();
  return status;
}

std::int32_t enqueue_marker(void*, const abi::Launch*, std::uint64_t queue, std::uint32_t wait_count,
                            const std::uint64_t* waits, std::uint64_t* event) {
  Call call(HostCall::enqueue_marker, {queue, std::uint64_t{event != nullptr}});
  call.add(waits, waits ? wait_count * sizeof *waits : 0);
  if (!call.has_room()) return too_large;
  const auto status = static_cast<std::int32_t>(call.make());
  if (event && status == 0) *event = call.event();
  return status;
}

std::uint32_t query_block(void*, const abi::Launch*, abi::BlockQuery query, std::uint64_t kernel,
                          const abi::BlockRange* range) {
  return static_cast<std::uint32_t>(Call(HostCall::query_block, {static_cast<std::uint64_t>(query), kernel})
                                        .add(range, range ? sizeof *range : 0)
                                        .make());
}

/// A callback whose arguments, apart from the launch, are numbers and addresses.
template <HostCall what, class Callback>
struct Ask;

template <HostCall what, class Result, class... Arguments>
struct Ask<what, Result (*)(void*, Arguments...)> {
  template <class T>
  static std::uint64_t number(T value) {
    if constexpr (std::is_pointer_v<T>)
      return reinterpret_cast<std::uint64_t>(value);
    else
      return static_cast<std::uint64_t>(value);
  }
  static Result call(void*, Arguments... arguments) {
    const std::uint64_t result = Call(what, {number(arguments)...}).make();
    if constexpr (!std::is_void_v<Result>) return static_cast<Result>(result);
  }
};

template <HostCall what, class Result, class... Arguments>
struct Ask<what, Result (*)(void*, const abi::Launch*, Arguments...)> {
  static Result call(void* context, const abi::Launch*, Arguments... arguments) {
    return Ask<what, Result (*)(void*, Arguments...)>::call(context, arguments...);
  }
};

template <HostCall what, class Callback>
void set_asking(Callback& callback) {
  callback = Ask<what, Callback>::call;
}

} // namespace

const abi::HostCallbacks& guest_callbacks() {
  static const abi::HostCallbacks all = [] {
    abi::HostCallbacks made = host_callbacks();
    made.print = print;
    made.trap = trap;
    made.enqueue_kernel = enqueue_kernel;
    made.enqueue_marker = enqueue_marker;
    made.query_block = query_block;
    set_asking<HostCall::create_user_event>(made.create_user_event);
    set_asking<HostCall::retain_event>(made.retain_event);
    set_asking<HostCall::release_event>(made.release_event);
    set_asking<HostCall::is_valid_event>(made.is_valid_event);
    set_asking<HostCall::set_user_event_status>(made.set_user_event_status);
    set_asking<HostCall::capture_event_profile>(made.capture_event_profile);
    set_asking<HostCall::report>(made.report);
    set_asking<HostCall::object_low_at>(made.object_low_at);
    set_asking<HostCall::object_size_at>(made.object_size_at);
    set_asking<HostCall::convergence_arrive>(made.convergence_arrive);
    set_asking<HostCall::convergence_result>(made.convergence_result);
    set_asking<HostCall::command_access>(made.command_access);
    compiler::set_trap_handler(trap_in_call);
    return made;
  }();
  return all;
}

} // namespace hostcl::runtime::guest
