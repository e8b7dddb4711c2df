// Calls of the host by a hostile guest: whatever a message contains, callbacks get memory that belongs to the message, and
// addresses that kernels may use.

#include "runtime/guest/host_calls.hpp"

#include "compiler/abi/check.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <vector>

using namespace hostcl;
using namespace hostcl::runtime;
using namespace hostcl::runtime::guest;

namespace {

/// What the callbacks of a call have seen.
struct Seen {
  const SharedMemory* data;
  std::uint64_t calls = 0, bytes = 0;
  bool is_outside = false;

  void read(const void* first, std::size_t size) {
    const auto* byte = static_cast<const unsigned char*>(first);
    for (std::size_t i = 0; i < size; ++i)
      bytes += byte[i]; // AddressSanitizer and Valgrind know whether it may be read
  }
};

Seen& seen_by(void* context) {
  Seen& seen = *static_cast<Seen*>(context);
  ++seen.calls;
  return seen;
}

std::int32_t enqueue_kernel(void* context, const abi::Launch*, const abi::BlockLaunch* child) {
  Seen& seen = seen_by(context);
  seen.read(child->range, sizeof *child->range);
  if (child->waits) seen.read(child->waits, child->wait_count * sizeof *child->waits);
  if (child->literal) seen.read(child->literal, child->literal_bytes);
  if (child->local_count != 0) seen.read(child->local_sizes, child->local_count * sizeof *child->local_sizes);
  if (child->event) *child->event = 5;
  const std::uint32_t alignment = child->literal_alignment;
  seen.is_outside = seen.is_outside || (alignment & (alignment - 1)) != 0 || alignment > 4096;
  return 0;
}

std::int32_t enqueue_marker(void* context, const abi::Launch*, std::uint64_t, std::uint32_t count,
                            const std::uint64_t* waits, std::uint64_t* event) {
  if (waits) seen_by(context).read(waits, count * sizeof *waits);
  if (event) *event = 6;
  return 0;
}

void capture_event_profile(void* context, std::uint64_t, std::int32_t, std::uint64_t* value) {
  Seen& seen = seen_by(context);
  seen.is_outside = seen.is_outside || !seen.data->contains(value, 2 * sizeof *value);
}

void read_site(Seen& seen, const abi::CheckSite* site) {
  for (const char* text : {site->check, site->kernel, site->file, site->source, site->object, site->sentence})
    seen.read(text, std::strlen(text));
  if (site->other) read_site(seen, site->other);
}

abi::HostCallbacks callbacks_for(Seen& seen) {
  abi::HostCallbacks made{};
  made.context = &seen;
  made.enqueue_kernel = enqueue_kernel;
  made.enqueue_marker = enqueue_marker;
  made.capture_event_profile = capture_event_profile;
  made.query_block = [](void* context, const abi::Launch*, abi::BlockQuery, std::uint64_t,
                        const abi::BlockRange* range) {
    if (range) seen_by(context).read(range, sizeof *range);
    return 1u;
  };
  made.create_user_event = [](void*) { return std::uint64_t{7}; };
  made.retain_event = made.release_event = [](void*, std::uint64_t) {};
  made.is_valid_event = [](void*, std::uint64_t) { return 0u; };
  made.set_user_event_status = [](void*, std::uint64_t, std::int32_t) {};
  made.report = [](void* context, const abi::Launch*, std::uint64_t, std::uint64_t, std::uint64_t,
                   std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t,
                   const abi::CheckSite* site) { read_site(seen_by(context), site); };
  made.object_low_at = [](void*, std::uint64_t) { return std::int64_t{0}; };
  made.object_size_at = [](void*, std::uint64_t) { return std::uint64_t{0}; };
  made.convergence_arrive = [](void* context, const abi::Launch*, std::uint32_t reaches, std::uint64_t,
                               std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t) {
    Seen& seen = seen_by(context);
    seen.is_outside = seen.is_outside || reaches > 1;
  };
  made.convergence_result = [](void* context, const abi::Launch*, const abi::CheckSite* site) {
    read_site(seen_by(context), site);
    return 0u;
  };
  made.command_access = [](void* context, const abi::Launch*, std::uint64_t, std::uint64_t, std::uint32_t,
                           const abi::CheckSite* site) { read_site(seen_by(context), site); };
  return made;
}

/// Constants as a hostile program may have them: words that are addresses in and around them, and texts without an end.
std::vector<std::uint64_t> hostile_constants(std::mt19937_64& random) {
  std::vector<std::uint64_t> words(512);
  const auto begin = reinterpret_cast<std::uint64_t>(words.data());
  for (std::uint64_t& word : words)
    word = random() % 3 == 0 ? ~std::uint64_t{0} : begin + random() % (words.size() * sizeof(word) + 64) - 32;
  return words;
}

} // namespace

TEST_CASE("calls of the host: any message is refused or answered without a wrong access", "[host_calls]") {
  std::mt19937_64 random(3);
  const auto data = SharedMemory::create(std::size_t{1} << 20);
  REQUIRE(data);
  Seen seen{data.get()};
  const abi::HostCallbacks callbacks = callbacks_for(seen);
  abi::Launch launch{};
  launch.host_callbacks = &callbacks;
  const auto message = std::make_unique<CallMessage>();
  std::uint64_t answered = 0;
  for (int i = 0; i < 100'000; ++i) {
    const auto constants = hostile_constants(random);
    const auto address = [&] {
      const std::uint64_t some[] = {0,
                                    1,
                                    ~std::uint64_t{0},
                                    random(),
                                    reinterpret_cast<std::uint64_t>(constants.data()) +
                                        random() % 4096 / 8 * 8,
                                    reinterpret_cast<std::uint64_t>(data->begin()) + random() % (1 << 21)};
      return some[random() % std::size(some)];
    };
    message->call = static_cast<HostCall>(random() % 20);
    if (message->call == HostCall::print) continue; // it would print
    for (std::uint64_t& number : message->numbers)
      number = address();
    for (std::uint32_t& size : message->sizes)
      size = random() % 8 == 0 ? static_cast<std::uint32_t>(random())
                               : static_cast<std::uint32_t>(random() % 100);
    if (random() % 2) message->sizes[0] = sizeof(abi::BlockRange);
    if (random() % 2) message->numbers[5] = message->sizes[1] / sizeof(std::uint64_t);
    if (random() % 2) message->numbers[3] = std::uint64_t{1} << random() % 14;
    const Answer given = answer(*message, launch, {*data, {}, std::as_bytes(std::span(constants))});
    answered += given.reason == nullptr;
    REQUIRE_FALSE(seen.is_outside);
    REQUIRE((given.turn == Turn::answered || given.turn == Turn::abandoned));
  }
  CHECK(answered > 10'000);
  CHECK(seen.calls > 5'000);
}
