#include "compiler/jobs/kernel_versions.hpp"

#include "compiler/isolation/guard.hpp"
#include "compiler/isolation/isolate.hpp"
#include "compiler/jobs/job.hpp"
#include "compiler/perf_files.hpp"

#include <chrono>

namespace hostcl::compiler {

using namespace llvm;

namespace {

using Clock = std::chrono::steady_clock;

/// If a kernel has this many versions, a launch for which some version is right gets no further tier 1 code.
/// Otherwise an application whose launches always have new properties would fill the memory with versions.
constexpr unsigned most_versions = 32;

/// A kernel is compiled for at most this many combinations of image properties. Launches with other combinations run
/// code that works for all image formats.
constexpr std::size_t most_image_sets = 16;

std::uint64_t ns_since(Clock::time_point begin) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count());
}

} // namespace

KernelChoice KernelVersions::find(const abi::NDRange& launch) {
  std::scoped_lock lock(mutex_);
  KernelChoice choice = find_locked(launch);
  choice.versions = versions();
  return choice;
}

/// The version that is right for the launch and relies on most of the launch's properties.
KernelChoice KernelVersions::find_locked(const abi::NDRange& launch) const {
  if (!properties_) return {};
  const abi::GroupSize groups = groups_for(launch, *properties_);
  const Variant launch_variant = variant_for(launch, groups, settings());
  const Variant wanted = canonical(launch_variant, *properties_);
  if (auto exact = made_.find(wanted); exact != made_.end()) return {&exact->second->code, groups, true};
  const KernelCode* best = nullptr;
  unsigned most_assumptions = 0;
  for (const auto& [variant, version] : made_)
    if (const unsigned assumptions = assumptions_in(variant);
        covers(variant, launch_variant, *properties_) && (!best || assumptions > most_assumptions)) {
      best = &version->code;
      most_assumptions = assumptions;
    }
  return {best, groups, false};
}

/// The properties that are known already or that the disk cache has; otherwise, has the kernel prepared.
Expected<KernelProperties> KernelVersions::properties() {
  {
    std::scoped_lock lock(mutex_);
    if (properties_) return *properties_;
  }
  const auto request_for = [&](const FailedLevels& failed) {
    return PropertiesRequest{kernel(), failed.left};
  };
  auto properties = at_level(
      kernel(), std::nullopt, keeps_width_,
      [&](const FailedLevels& failed) { return find_cached(request_for(failed)); },
      [&](const FailedLevels& failed) {
        const PropertiesRequest request = request_for(failed);
        return made(request, [&] { return worker_.run(request); });
      });
  if (!properties) return properties;
  keeps_width_ = properties->sees_vectors != 0;
  std::scoped_lock lock(mutex_);
  properties_ = *properties;
  prefers_columns_.store(properties->columns, std::memory_order_relaxed);
  gains_if_disjoint_.store(properties->gains_if_disjoint, std::memory_order_relaxed);
  return *properties;
}

/// Machine code from the disk cache or from this process; nothing if it would have to be compiled.
std::optional<KernelObject> KernelVersions::known_object(const Variant& variant, const FailedLevels& failed) {
  if (auto known = find_cached(ObjectRequest{kernel(), variant, failed.left, failed.width})) return known;
  return worker_.find(variant, failed.left);
}

std::optional<KernelObject> KernelVersions::known_object(const Variant& variant) {
  if (auto known = known_object(variant, {})) return known;
  const FailedLevels failed = level_for(kernel(), variant, keeps_width_);
  const bool is_other = failed.left != FallbackLevel::full && failed.left != FallbackLevel::none;
  return is_other ? known_object(variant, failed) : std::nullopt;
}

/// Finds or compiles machine code. properties() must have succeeded.
Expected<KernelObject> KernelVersions::object(const Variant& variant) {
  return at_level(
      kernel(), variant, keeps_width_,
      [&](const FailedLevels& failed) { return known_object(variant, failed); },
      [&](const FailedLevels& failed) {
        const ObjectRequest request{kernel(), variant, failed.left, failed.width};
        return made(request, [&] { return worker_.run(request); });
      });
}

std::shared_ptr<KernelVersions::Version> KernelVersions::version(const Variant& variant) {
  std::scoped_lock lock(mutex_);
  std::shared_ptr<Version>& version = making_[variant];
  if (!version) version = std::make_shared<Version>();
  return version;
}

/// @param only_if_known makes no code for which the compiler would have to run
Error KernelVersions::make(const Variant& variant, bool only_if_known) {
  std::shared_ptr<Version> wanted = version(variant);
  const HeldLock guard(wanted->mutex, /*wait=*/!only_if_known);
  if (!guard) return Error::success();
  if (wanted->code.entry) {
    publish(variant, wanted); // when the code was made, there was no memory to publish it
    return Error::success();
  }
  const auto begin = Clock::now();
  std::optional<KernelObject> found;
  if (only_if_known)
    found = known_object(variant);
  else if (Error error = object(variant).moveInto(found))
    return error;
  if (!found) return Error::success();
  if (Error error = link(std::move(*found), variant, wanted->code)) return error;
  wanted->code.compile_ns = ns_since(begin);
  publish(variant, wanted);
  return Error::success();
}

/// Makes complete code available to launches, unless that has been done.
void KernelVersions::publish(const Variant& variant, std::shared_ptr<const Version> version) {
  std::scoped_lock lock(mutex_);
  if (made_.emplace(variant, std::move(version)).second) count_.fetch_add(1, std::memory_order_release);
}

Error KernelVersions::link(KernelObject object, const Variant& variant, NotedCode& code) {
  auto linked = library_.link(object.object, entry_name(kernel().name, variant));
  if (!linked) return linked.takeError();
  static_cast<CodeProperties&>(code) = object.code_properties;
  code.first_byte = linked->first_byte;
  code.code_bytes = linked->bytes;
  code.lines = std::move(linked->lines);
  code.notes = std::move(object.notes);
  code.entry = reinterpret_cast<abi::Entry>(linked->address);
  code.order = linked->order;
  tell_profilers(code, kernel().name);
  return Error::success();
}

/// Does work that makes code for a launch. @returns the code for the launch that exists then, or the error
KernelVersions::Result KernelVersions::attempt(const abi::NDRange& launch, function_ref<Error()> work) {
  Error error = with_fallback(work);
  const bool lacks_memory = reason_of(error) == out_of_memory;
  if (KernelChoice choice = find(launch); choice.code && !lacks_memory) {
    consumeError(std::move(error));
    return {Status::success, {}, choice};
  }
  return failed(std::move(error), Status::failure, "kernel '" + kernel().name + "': ");
}

/// Makes code for a launch that has none: tier 1 code if it can be had without compiling, otherwise tier 0
/// code.
Error KernelVersions::make_tier0(const abi::NDRange& launch) {
  auto known = properties();
  if (!known) return known.takeError();
  const Variant launch_variant = variant_for(launch, groups_for(launch, *known), settings());
  const Variant best = canonical(launch_variant, *known);
  if (Error error = make(best, /*only_if_known=*/true)) consumeError(std::move(error));
  if (find(launch).code) return Error::success();
  auto any = tier0_variant(*known, uniform_groups_ && !known->group_rows, launch_variant);
  if (!any) return make(best);
  any->tier0 = settings().has_tier1 || test_steps().has_tier0_alone;
  Error error = make(*any);
  if (!error || error.isA<LevelFailed>() || ends_all_levels(reason_of(error))) return error;
  Error second = make(best);
  if (!second.isA<LevelFailed>()) return joinErrors(std::move(error), std::move(second));
  consumeError(std::move(error));
  return second;
}

KernelVersions::Result KernelVersions::code(const abi::NDRange& launch) {
  if (KernelChoice choice = find(launch); choice.code) return {Status::success, {}, choice};
  return attempt(launch, [&] { return make_tier0(launch); });
}

KernelVersions::Result KernelVersions::tier1_code(const abi::NDRange& launch) {
  if (versions() >= most_versions)
    if (KernelChoice choice = find(launch); choice.code) return {Status::success, {}, choice};
  return attempt(launch, [&]() -> Error {
    auto known = properties();
    if (!known) return known.takeError();
    return make(canonical(variant_for(launch, groups_for(launch, *known), settings()), *known));
  });
}

CompiledKernel& KernelVersions::with_images(const ImageProperties& images) {
  std::scoped_lock lock(mutex_);
  if (const auto known = with_images_.find(images); known != with_images_.end()) return *known->second;
  if (with_images_.size() == most_image_sets) return *this;
  KernelId id = kernel();
  id.images = images;
  auto made = std::make_unique<KernelVersions>(std::move(id), uniform_groups_, library_);
  return *with_images_.emplace(images, std::move(made)).first->second;
}

namespace {

/// A launch as applications often make it: full groups of several vectors, with disjoint buffers.
abi::NDRange likely_launch(unsigned dimensions) {
  abi::NDRange launch{{16384, 1, 1}, {0, 0, 0}, {256, 1, 1}, {64, 1, 1}, dimensions, 1};
  static_assert(256 > largest_width);
  for (unsigned dimension = 1; dimension < dimensions; ++dimension)
    launch.global_size[dimension] = launch.group_count[dimension] = 64;
  return launch;
}

} // namespace

void KernelVersions::compile_ahead() {
  // Errors are reported when a launch runs.
  attempt(likely_launch(1), [&]() -> Error {
    auto known = properties();
    if (!known) return known.takeError();
    return make_tier0(likely_launch(known->dimensions));
  });
}

} // namespace hostcl::compiler
