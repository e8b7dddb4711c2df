#include "runtime/program/loaded_kernel.hpp"

#include "runtime/program/compilation.hpp"
#include "runtime/program/nd_range.hpp"
#include "runtime/support/log.hpp"
#include "runtime/support/options.hpp"
#include "runtime/threads/machine.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>
#include <new>

namespace hostcl::runtime {

using compiler::ArgumentKind;

namespace {

/// Tier 1 code is made when tier 0 code has run for at least this many nanoseconds, ...
constexpr std::uint64_t least_slow_ns = 500'000;
/// ... and for at least 1/part_of_compile_time of the time that it took to compile it.
constexpr std::uint64_t part_of_compile_time = 4;

/// A kernel with more instructions than this after the front end takes more than about a tenth of a second to compile.
constexpr std::uint64_t many_instructions = 4'000;

/// The most kernels that may be compiled ahead and wait for their first launch.
constexpr int most_unlaunched = 32;
/// The number of kernels that have been compiled ahead and not launched.
std::atomic<int> unlaunched{0};

/// A measurement of a group's cost is limited to this multiple of the recorded cost.
constexpr double most_growth = 4;
/// One of the first `first_few` measurements replaces the recorded cost if it is below this fraction of the recorded
/// cost.
constexpr double much_cheaper = 0.5;
constexpr unsigned first_few = 4;

bool is_image_or_sampler(const compiler::KernelArgument& argument) {
  return argument.kind == ArgumentKind::image || argument.kind == ArgumentKind::sampler;
}

} // namespace

LoadedKernel::LoadedKernel(std::shared_ptr<compiler::Executable> executable,
                           const compiler::KernelSignature& signature, compiler::CompiledKernel& kernel,
                           LoadedKernel* general)
    : executable_(std::move(executable)),
      signature_(signature),
      kernel_(kernel),
      general_(general),
      takes_images_(std::ranges::any_of(signature.arguments, is_image_or_sampler)) {}

const compiler::KernelSignature& LoadedKernel::signature_of(const compiler::Executable& executable,
                                                            std::size_t index) {
  const std::size_t kernels = executable.kernels().size();
  return index < kernels ? executable.kernels()[index] : executable.block_kernels()[index - kernels];
}

LoadedKernel::~LoadedKernel() {
  if (claim_first_launch()) forget_ahead();
}

compiler::ImageProperties LoadedKernel::properties_of(const std::byte* arguments) const {
  compiler::ImageProperties properties;
  for (std::uint32_t i = 0; i < signature_.arguments.size(); ++i) {
    const compiler::KernelArgument& argument = signature_.arguments[i];
    if (!is_image_or_sampler(argument)) continue;
    std::uint64_t slot;
    std::memcpy(&slot, arguments + argument.offset, sizeof(slot));
    properties.push_back(argument.kind == ArgumentKind::sampler
                             ? compiler::property_of(i, abi::Sampler{slot})
                             : compiler::property_of(i, *std::bit_cast<const abi::Image*>(slot)));
  }
  return properties;
}

LoadedKernel* LoadedKernel::find(const compiler::ImageProperties& properties) {
  std::scoped_lock guard(lock_);
  const auto found = with_images_.find(properties);
  return found == with_images_.end() ? nullptr : found->second.get();
}

LoadedKernel& LoadedKernel::for_images(const std::byte* arguments) {
  if (!takes_images_) return *this;
  compiler::ImageProperties properties = properties_of(arguments);
  if (LoadedKernel* known = find(properties)) return *known;
  compiler::CompiledKernel& kernel = kernel_.with_images(properties);
  if (&kernel == &kernel_) return *this;
  std::shared_ptr<LoadedKernel> made(new LoadedKernel(executable_, signature_, kernel, this));
  std::scoped_lock guard(lock_);
  return *with_images_.try_emplace(std::move(properties), std::move(made)).first->second;
}

compiler::KernelChoice LoadedKernel::code(const abi::NDRange& launch, std::string* log) {
  {
    std::scoped_lock guard(lock_);
    if (last_.code && (last_.is_tier1 || last_.versions == versions()) &&
        std::memcmp(&last_launch_, &launch, sizeof(launch)) == 0)
      return last_;
  }
  const bool wants_tier1 = options().code == CodeChoice::tier1;
  compiler::KernelChoice choice = kernel_.find(launch);
  const bool can_compile = Background::instance().can_compile();
  if (!choice.code && !can_compile) {
    if (log) *log = Background::no_compiler;
    return {};
  }
  if (!choice.code || (wants_tier1 && !choice.is_tier1 && can_compile)) {
    const Compilation compilation(Compilation::awaited, signature().name);
    auto outcome = wants_tier1 ? kernel_.tier1_code(launch) : kernel_.code(launch);
    if (outcome.status == compiler::Status::out_of_memory) throw std::bad_alloc();
    if (outcome.status != compiler::Status::success) {
      if (log) *log = std::move(outcome.log);
      return {};
    }
    choice = outcome.value;
  }
  std::scoped_lock guard(lock_);
  last_launch_ = launch;
  return last_ = choice;
}

void LoadedKernel::want_tier1_code(const abi::NDRange& launch) {
  if (options().code != CodeChoice::automatic || machine().threads == 1) return;
  if (!kernel_.find(launch).is_tier1) compile_in_background(Background::Reason::tier1, launch);
}

void LoadedKernel::make_tier1_code(const abi::NDRange& launch) {
  const Compilation compilation(Compilation::better, signature().name);
  auto outcome = kernel_.tier1_code(launch);
  if (outcome.status == compiler::Status::success && outcome.value.is_tier1) return;
  failures_.fetch_add(1, std::memory_order_relaxed);
  log(LogLevel::info, "kernel '", signature().name,
      "' keeps its tier 0 code, because compiling tier 1 code failed: ", outcome.log);
}

/// The sub-group size is the vector width of machine code. A query always gets the vector width of tier 1 code for a
/// launch of a single group, so that the answer does not depend on which code has been compiled before.
std::size_t LoadedKernel::sub_group_width(const std::array<std::size_t, 3>& local_size) {
  if (signature().required_sub_group_size) return signature().required_sub_group_size;
  const abi::NDRange launch = single_group(local_size);
  compiler::KernelChoice choice = code(launch);
  if (choice.code && !choice.is_tier1 && Background::instance().can_compile()) {
    make_tier1_code(launch);
    choice = made_code(launch);
  }
  const std::size_t items = local_size[0] * local_size[1] * local_size[2];
  return choice.code ? std::min<std::size_t>(choice.code->width, items) : 1;
}

void LoadedKernel::compile_ahead() {
  // With HOSTCL_CODE=tier1 there is only tier 1 code, which depends on the launch.
  if (options().code == CodeChoice::tier1 || !Background::instance().can_compile()) return;
  if (launched_.load(std::memory_order_relaxed)) return;
  const Compilation compilation(Compilation::ahead, signature().name);
  kernel_.compile_ahead(); // errors are reported when a launch runs
}

void LoadedKernel::make_requested_code(Background::Reason reason, const abi::NDRange& launch) {
  switch (reason) {
  case Background::Reason::launched:
    code(launch); // errors are reported when the launch runs
    break;
  case Background::Reason::ahead:
    compile_ahead();
    break;
  case Background::Reason::tier1:
    make_tier1_code(launch);
    break;
  }
}

void LoadedKernel::compile_in_background(Background::Reason reason, const abi::NDRange& launch) noexcept try {
  // A request to compile ahead may wait in the queue for long. It holds a weak pointer only, so that it does not keep a
  // released program alive.
  const std::shared_ptr<LoadedKernel> kept =
      reason == Background::Reason::ahead ? nullptr : shared_from_this();
  Background::instance().compile(reason, [kept, known = weak_from_this(), reason, launch] {
    if (const auto kernel = known.lock()) kernel->make_requested_code(reason, launch);
  });
} catch (const std::exception& error) {
  log(LogLevel::info, "a kernel could not be compiled in the background: ", error.what());
}

void LoadedKernel::compile_ahead_in_background() noexcept {
  if (unlaunched.load(std::memory_order_relaxed) >= most_unlaunched || !claim_compile_ahead()) return;
  unlaunched.fetch_add(1, std::memory_order_relaxed);
  compile_in_background(Background::Reason::ahead, {});
}

void LoadedKernel::forget_ahead() const {
  // If two threads get here at the same time, the number may be one too small: then one more kernel is
  // compiled ahead.
  if (ahead_.load(std::memory_order_relaxed) && unlaunched.load(std::memory_order_relaxed) > 0)
    unlaunched.fetch_sub(1, std::memory_order_relaxed);
}

bool LoadedKernel::is_expensive() const {
  return !takes_images_ && signature().instructions > many_instructions;
}

bool LoadedKernel::note_slow_ns(std::uint64_t ns, const compiler::KernelCode& code) {
  if (options().code != CodeChoice::automatic) return false;
  std::uint64_t enough = std::max(least_slow_ns, code.compile_ns / part_of_compile_time);
  enough <<= std::min(failures_.load(std::memory_order_relaxed), 20u);
  if (slow_ns_.fetch_add(ns, std::memory_order_relaxed) + ns < enough) return false;
  return slow_ns_.exchange(0, std::memory_order_relaxed) >= enough;
}

double LoadedKernel::group_ns(std::uint64_t items) const {
  const std::uint32_t measured_items = items_.load(std::memory_order_relaxed);
  if (measured_items == 0) return 0;
  const double ns = ns_.load(std::memory_order_relaxed);
  if (items == measured_items) return ns; // the usual case, without a division
  return ns * std::max(0.1, static_cast<double>(items) / measured_items);
}

void LoadedKernel::note_group_ns(double ns, std::uint64_t items) {
  // The newest measurement and the recorded cost count half each, because the cost of a group depends on the arguments.
  // A cost many times higher than the recorded cost is limited: most often, the thread has lost its processor during
  // the measurement. Among the first few measurements, a much lower cost replaces the recorded one: the groups before
  // ran tier 0 code, or touched memory for the first time. Later, a low cost may be that of a launch with little to do,
  // and the next launch must still be found to be worth several threads. If two threads are in this function, they may
  // mix their values; the result is still plausible.
  const double before = group_ns(items);
  const bool is_early = measurements_.load(std::memory_order_relaxed) < first_few;
  if (is_early) measurements_.fetch_add(1, std::memory_order_relaxed);
  const bool replaces = before <= 0 || (is_early && ns < much_cheaper * before);
  const double after = replaces ? std::max(ns, 0.01) : (before + std::min(ns, most_growth * before)) / 2;
  ns_.store(static_cast<float>(after), std::memory_order_relaxed);
  items_.store(static_cast<std::uint32_t>(items), std::memory_order_relaxed);
  if (general_) general_->note_group_ns(ns, items);
}

} // namespace hostcl::runtime
