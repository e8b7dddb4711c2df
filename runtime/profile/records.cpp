#include "runtime/profile/records.hpp"

#include "compiler/noted_code.hpp"
#include "runtime/support/cancellation.hpp"

#include <algorithm>
#include <cstring>

#include <unistd.h>

namespace hostcl::runtime::profile {

namespace {

/// Kinds of launches of a kernel that have figures of their own.
constexpr std::size_t most_kinds = 64;
/// The first launches of a kind are all timed. The others are all timed only if launches take at least
/// short_ns on average.
constexpr std::uint64_t first_launches = 256, short_ns = 4'000;
/// Of the short launches of a kind, one in this many is timed.
constexpr std::uint64_t sampled = 16;

// Each launch makes these comparisons, so they should be inlined.

bool is_same(const abi::NDRange& a, const abi::NDRange& b) {
  std::uint64_t differences = (a.work_dim ^ b.work_dim) | (a.buffers_disjoint ^ b.buffers_disjoint);
  for (std::size_t i = 0; i < 3; ++i)
    differences |= (a.global_size[i] ^ b.global_size[i]) | (a.global_offset[i] ^ b.global_offset[i]) |
                   (a.local_size[i] ^ b.local_size[i]);
  return differences == 0;
}

bool is_same(const std::byte* a, const std::byte* b, std::size_t bytes) {
  switch (bytes) {
  case 4:
    return std::memcmp(a, b, 4) == 0;
  case 8:
    return std::memcmp(a, b, 8) == 0;
  default:
    return std::memcmp(a, b, bytes) == 0;
  }
}

std::vector<ValuePlace> places_of(const compiler::KernelSignature& signature) {
  std::vector<ValuePlace> places;
  for (std::uint32_t i = 0; i < signature.arguments.size(); ++i) {
    const compiler::KernelArgument& argument = signature.arguments[i];
    if (argument.kind == compiler::ArgumentKind::value && argument.size <= sizeof(std::int64_t))
      places.push_back({i, argument.offset, argument.size});
  }
  return places;
}

} // namespace

// ---- Kernels

KernelRecord::KernelRecord(const LaunchProperties& properties) {
  figures_.name = properties.signature.name;
  figures_.statistics = compiler::noted(properties.code).notes.statistics;
  figures_.places = places_of(properties.signature);
  for (const compiler::KernelArgument& argument : properties.signature.arguments)
    figures_.arguments.push_back(argument.name);
}

bool KernelRecord::is_of(const LaunchProperties& properties) const {
  return figures_.name == properties.signature.name &&
         figures_.statistics == compiler::noted(properties.code).notes.statistics &&
         figures_.places == places_of(properties.signature);
}

bool KernelRecord::is_kind(const LaunchKind& kind, const LaunchProperties& properties) const {
  if (!is_same(kind.range, properties.range)) return false;
  const std::byte* value = kind.values.data();
  for (const ValuePlace& place : figures_.places) {
    if (!is_same(value, properties.arguments + place.offset, place.bytes)) return false;
    value += place.bytes;
  }
  return true;
}

/// Called with the lock held.
KernelRecord::CountedKind& KernelRecord::kind_of(const LaunchProperties& properties) {
  const auto known = std::ranges::find_if(
      kinds_, [&](const CountedKind& kind) { return is_kind(kind.figures, properties); });
  if (known != kinds_.end()) return *known;
  if (kinds_.size() == most_kinds) {
    figures_.has_others = true;
    return kinds_.back();
  }
  CountedKind& kind = kinds_.emplace_back();
  kind.number = kinds_.size() - 1;
  kind.figures.range = properties.range;
  for (const ValuePlace& place : figures_.places)
    kind.figures.values.insert(kind.figures.values.end(), properties.arguments + place.offset,
                               properties.arguments + place.offset + place.bytes);
  return kind;
}

std::optional<std::size_t> KernelRecord::count(const LaunchProperties& properties) {
  CountedKind* kind = last_.load(std::memory_order_acquire);
  if (!kind || !is_kind(kind->figures, properties)) {
    const std::scoped_lock guard(lock_);
    kind = &kind_of(properties);
    last_.store(kind, std::memory_order_release);
  }
  const std::uint64_t before = kind->launches.fetch_add(1, std::memory_order_relaxed);
  if (kind->is_sampled.load(std::memory_order_relaxed) && before % sampled != 0) return {};
  return kind->number;
}

void KernelRecord::add(std::size_t number, const LaunchProperties& properties, std::uint64_t ns,
                       std::uint64_t busy_ns, std::uint64_t offered_ns) {
  const std::scoped_lock guard(lock_);
  CountedKind& counted = kinds_[number];
  LaunchKind& kind = counted.figures;
  ++kind.timed;
  kind.ns += ns;
  kind.busy_ns += busy_ns;
  kind.offered_ns += offered_ns;
  kind.least_ns = std::min(kind.least_ns, ns);
  kind.most_ns = std::max(kind.most_ns, ns);
  counted.is_sampled.store(kind.timed >= first_launches && kind.ns / kind.timed < short_ns,
                           std::memory_order_relaxed);
  figures_.width = properties.code.width;
  figures_.vector_dimension = properties.code.vector_dimension;
  const std::string& remark = compiler::noted(properties.code).notes.remark;
  if (figures_.remark != remark) figures_.remark = remark;
}

KernelFigures KernelRecord::figures() {
  const std::scoped_lock guard(lock_);
  KernelFigures all = figures_;
  for (const CountedKind& kind : kinds_) {
    all.kinds.push_back(kind.figures);
    all.kinds.back().launches = kind.launches.load(std::memory_order_relaxed);
  }
  return all;
}

// ---- The process

Records& Records::instance() {
  static auto* instance = new Records;
  return *instance;
}

KernelRecord& Records::record_of(const LaunchProperties& properties) {
  const std::scoped_lock guard(mutex_);
  for (const auto& known : kernels_)
    if (known->is_of(properties)) return *known;
  return *kernels_.emplace_back(std::make_unique<KernelRecord>(properties));
}

std::vector<KernelFigures> Records::kernels() {
  const std::scoped_lock guard(mutex_);
  std::vector<KernelFigures> all;
  for (const auto& kernel : kernels_)
    all.push_back(kernel->figures());
  return all;
}

std::map<std::string, CommandFigures> Records::commands() {
  const std::scoped_lock guard(mutex_);
  return {commands_.begin(), commands_.end()};
}

CompilerFigures Records::compiler() {
  const std::scoped_lock guard(mutex_);
  return compiler_;
}

std::map<std::string, std::uint64_t> Records::compiled() {
  const std::scoped_lock guard(mutex_);
  return {compiled_.begin(), compiled_.end()};
}

std::vector<Event> Records::events() {
  const std::scoped_lock guard(mutex_);
  return events_;
}

void Records::add_command(std::string_view name, std::uint64_t ns) {
  const CancellationDelay uncancelled;
  const std::scoped_lock guard(mutex_);
  auto found = commands_.find(name);
  if (found == commands_.end()) found = commands_.try_emplace(std::string(name)).first;
  ++found->second.count;
  found->second.ns += ns;
}

void Records::add_compilation(std::string_view kernel, std::uint64_t ns, bool waited) {
  const CancellationDelay uncancelled;
  const std::scoped_lock guard(mutex_);
  ++(waited ? compiler_.waits : compiler_.background);
  (waited ? compiler_.waited_ns : compiler_.background_ns) += ns;
  if (waited && !kernel.empty()) compiled_[std::string(kernel)] += ns;
}

void Records::add_event(Activity activity, std::string_view name, std::uint64_t began, std::uint64_t ended) {
  const CancellationDelay uncancelled;
  const std::scoped_lock guard(mutex_);
  if (events_.size() == most_events) return;
  Event event{began, ended, gettid(), activity, {}};
  name.copy(event.name, sizeof(event.name) - 1);
  events_.push_back(event);
  if (events_.size() == most_events) has_room.store(false, std::memory_order_relaxed);
}

} // namespace hostcl::runtime::profile
