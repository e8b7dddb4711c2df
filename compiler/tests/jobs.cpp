// The care that jobs get, each kind alone: the cache, containment, fallback; and the serialisation of requests.

#include "compiler/isolation/guard.hpp"
#include "compiler/jobs/fallback.hpp"
#include "compiler/jobs/job.hpp"
#include "support/catch.hpp"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <unistd.h>

using namespace hostcl::compiler;
using hostcl::compiler::Module;

namespace {

/// A cache in a folder of its own.
class Cache {
public:
  Cache() {
    std::filesystem::remove_all(folder_);
    REQUIRE(set_cache(folder_, std::uint64_t{1} << 30));
  }
  ~Cache() {
    set_cache("", 0);
    std::filesystem::remove_all(folder_);
  }
  Cache(const Cache&) = delete;

  /// Calls `change` with each file of an entry.
  void for_entries(const std::function<void(const std::filesystem::path&)>& change) const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_))
      if (entry.is_regular_file() && entry.path().filename().string().size() > 20) change(entry.path());
  }

private:
  const std::string folder_ =
      (std::filesystem::temp_directory_path() / ("hostcl-jobs-" + std::to_string(getpid()))).string();
};

LinkRequest request_of(std::string options) {
  const auto module = std::make_shared<Module>(ModuleProperties(), std::vector<std::byte>(100));
  return {default_settings(), {module, module}, std::move(options)};
}

/// Counts how often it does a job.
struct Worker {
  ModuleReply reply{Status::success, "log", std::make_shared<Module>(), true};
  int jobs = 0;

  llvm::Expected<ModuleReply> operator()() {
    ++jobs;
    return reply;
  }
};

std::string log_of(llvm::Expected<ModuleReply> reply) {
  return reply ? reply->log : llvm::toString(reply.takeError());
}

/// Volatile, so that no compiler knows the address.
constinit int* volatile nowhere = nullptr;

KernelId kernel_named(const char* name) {
  return {default_settings(), std::make_shared<Module>(), name, {}};
}

} // namespace

TEST_CASE("Jobs: the cache has the reply to a request that was done", "[jobs]") {
  const Cache cache;
  Worker worker;
  CHECK(log_of(done(request_of("a"), std::ref(worker))) == "log");
  CHECK(log_of(done(request_of("a"), std::ref(worker))) == "log");
  CHECK(worker.jobs == 1);
  done(request_of("b"), std::ref(worker)).get();
  CHECK(worker.jobs == 2);
}

TEST_CASE("Jobs: an entry of the cache that is damaged is no reply", "[jobs]") {
  const Cache cache;
  Worker worker;
  done(request_of("a"), std::ref(worker)).get();
  cache.for_entries([](const auto& path) { std::filesystem::resize_file(path, 20); });
  CHECK(log_of(done(request_of("a"), std::ref(worker))) == "log");
  CHECK(worker.jobs == 2);
}

TEST_CASE("Jobs: the cache has no failures, and no replies that depend on more than the request", "[jobs]") {
  const Cache cache;
  for (const bool fails : {false, true}) {
    Worker worker;
    worker.reply.status = fails ? Status::failure : Status::success;
    worker.reply.is_reproducible = fails;
    done(request_of("a"), std::ref(worker)).get();
    done(request_of("a"), std::ref(worker)).get();
    CAPTURE(fails);
    CHECK(worker.jobs == 2);
  }
}

TEST_CASE("Jobs: the cache has the parts of large programs, which take long to read", "[jobs]") {
  const Cache cache;
  for (const bool is_large : {false, true}) {
    const std::size_t bytes = is_large ? least_bytes_worth_storing : least_bytes_worth_storing - 1;
    const PartsRequest request{default_settings(),
                               std::make_shared<Module>(ModuleProperties(), std::vector<std::byte>(bytes))};
    int jobs = 0;
    for (int repeat = 0; repeat < 2; ++repeat) {
      auto parts = done(request, [&]() -> llvm::Expected<ProgramParts> {
        ++jobs;
        ProgramParts made;
        made.signatures.emplace_back().name = "k";
        made.api_kernels = 1;
        return made;
      });
      REQUIRE(static_cast<bool>(parts));
      CHECK(parts->signatures.at(0).name == "k");
      CHECK(parts->api_kernels == 1);
    }
    CAPTURE(is_large);
    CHECK(jobs == (is_large ? 1 : 2));
  }
}

TEST_CASE("Jobs: a cache that cannot be written to changes no reply", "[jobs]") {
  const Cache cache;
  Worker worker;
  set_cache("/proc/no/such/folder", 1u << 20);
  CHECK(log_of(done(request_of("a"), std::ref(worker))) == "log");
  CHECK(log_of(done(request_of("a"), std::ref(worker))) == "log");
  CHECK(worker.jobs == 2);
}

TEST_CASE("Jobs: a crash, an exception for lack of memory and an error end the job alone", "[jobs]") {
  const auto crash = []() -> llvm::Expected<int> {
    const LongStep step;
    *nowhere = 0;
    return 0;
  };
  const auto exhaust = []() -> llvm::Expected<int> { throw std::bad_alloc(); };
  const auto fail = []() -> llvm::Expected<int> { return llvm::createStringError("no"); };
  const auto succeed = []() -> llvm::Expected<int> { return 7; };

  llvm::Error crashed = contained(crash).takeError();
  CHECK_FALSE(reason_of(crashed).empty());
  llvm::consumeError(std::move(crashed));
  llvm::Error exhausted = contained(exhaust).takeError();
  CHECK(reason_of(exhausted) == out_of_memory);
  llvm::consumeError(std::move(exhausted));
  llvm::Error failed = contained(fail).takeError();
  CHECK(reason_of(failed).empty());
  const std::string message = llvm::toString(std::move(failed));
  CHECK(message == "no");
  CHECK(*contained(succeed) == 7);
}

TEST_CASE("Jobs: a job that waits for a lock of work that was left is done again", "[jobs]") {
  static std::mutex& lock = *new std::mutex; // stays locked
  const auto hold = [&]() -> llvm::Expected<int> {
    const LongStep step;
    lock.lock();
    *nowhere = 0;
    return 0;
  };
  llvm::consumeError(contained(hold).takeError());
  Worker worker;
  int jobs = 0;
  CHECK(log_of(made(request_of("a"), [&] {
          const LongStep step;
          if (++jobs == 1) lock.lock();
          return worker();
        })) == "log");
  CHECK(jobs == 2);
}

TEST_CASE("Jobs: levels are tried in their order, and none twice", "[jobs]") {
  const KernelId kernel = kernel_named("order");
  Variant variant;
  std::vector<FallbackLevel> tried;
  const auto find = [](const FailedLevels&) { return std::optional<int>(); };
  const auto fail = [&](const FailedLevels& failed) -> llvm::Expected<int> {
    tried.push_back(failed.left);
    return llvm::createStringError("level " + std::to_string(static_cast<int>(failed.left)));
  };
  const auto attempt = [&](bool keeps_width) {
    return llvm::toString(
        with_fallback([&] { return at_level(kernel, variant, keeps_width, find, fail).takeError(); }));
  };
  CHECK(attempt(/*keeps_width=*/false) == "level 3");
  CHECK(tried ==
        std::vector{FallbackLevel::full, FallbackLevel::plain, FallbackLevel::scalar, FallbackLevel::bare});
  CHECK(attempt(/*keeps_width=*/false) == "level 3"); // it is known
  CHECK(tried.size() == 4);

  tried.clear();
  variant.width_limit = 8; // another one
  CHECK(attempt(/*keeps_width=*/true) == "level 3");
  CHECK(tried == std::vector{FallbackLevel::full, FallbackLevel::plain, FallbackLevel::bare});
}

TEST_CASE("Jobs: what is known needs no level, and a later level may succeed", "[jobs]") {
  const KernelId kernel = kernel_named("later");
  const auto find = [](const FailedLevels&) { return std::optional<int>(); };
  int value = 0, attempts = 0;
  llvm::Error error = with_fallback([&] {
    ++attempts;
    return at_level(kernel, std::nullopt, false, find,
                    [&](const FailedLevels& failed) -> llvm::Expected<int> {
                      if (failed.left == FallbackLevel::full) return llvm::createStringError("not that one");
                      return 10 + static_cast<int>(failed.left);
                    })
        .moveInto(value);
  });
  CHECK_FALSE(static_cast<bool>(error));
  CHECK(value == 10 + static_cast<int>(FallbackLevel::plain));
  CHECK(attempts == 2);
  CHECK(failed_levels(kernel, std::nullopt).reason == "not that one");
  const auto known = [](const FailedLevels&) { return std::optional(3); };
  const auto never = [](const FailedLevels&) -> llvm::Expected<int> { return 4; };
  CHECK(*at_level(kernel, std::nullopt, false, known, never) == 3);
}

TEST_CASE("Jobs: no level follows when the budget is used up or memory is short", "[jobs]") {
  const auto find = [](const FailedLevels&) { return std::optional<int>(); };
  for (const char* reason : {out_of_memory, over_time, over_memory, unwanted, servers_killed}) {
    int attempts = 0;
    llvm::Error error = with_fallback([&] {
      return at_level(kernel_named(reason), std::nullopt, false, find,
                      [&](const FailedLevels&) -> llvm::Expected<int> {
                        ++attempts;
                        return llvm::make_error<GaveUp>(reason);
                      })
          .takeError();
    });
    CHECK(reason_of(error) == reason);
    llvm::consumeError(std::move(error));
    CHECK(attempts == 1);
  }
}

TEST_CASE("Jobs: a job that crashes at one level is done at the next one, on another thread", "[jobs]") {
  const KernelId kernel = kernel_named("crash");
  const auto find = [](const FailedLevels&) { return std::optional<int>(); };
  std::vector<pid_t> threads;
  int value = 0;
  llvm::Error error = with_fallback([&] {
    threads.push_back(gettid());
    return at_level(kernel, std::nullopt, false, find,
                    [&](const FailedLevels& failed) {
                      return contained([&]() -> llvm::Expected<int> {
                        const LongStep step;
                        if (failed.left == FallbackLevel::full) *nowhere = 0;
                        return 5;
                      });
                    })
        .moveInto(value);
  });
  CHECK_FALSE(static_cast<bool>(error));
  CHECK(value == 5);
  REQUIRE(threads.size() == 2);
  CHECK(threads[0] != threads[1]);
}

TEST_CASE("Jobs: all attempts share the time that compile servers have spent", "[jobs]") {
  std::vector<std::chrono::nanoseconds> spent;
  const auto find = [](const FailedLevels&) { return std::optional<int>(); };
  llvm::Error error = with_fallback([&] {
    spent.push_back(isolated_work()->served);
    isolated_work()->served += std::chrono::seconds(1);
    return at_level(kernel_named("served"), std::nullopt, false, find,
                    [&](const FailedLevels&) -> llvm::Expected<int> { return llvm::createStringError("no"); })
        .takeError();
  });
  llvm::consumeError(std::move(error));
  REQUIRE(spent.size() > 2);
  for (std::size_t i = 1; i < spent.size(); ++i)
    CHECK(spent[i] >= spent[i - 1] + std::chrono::seconds(1));
}

TEST_CASE("Jobs: each setting is part of the key", "[jobs]") {
  const auto key_with = [](auto change) {
    Settings settings = *default_settings();
    change(settings);
    return key_of(LinkRequest{std::make_shared<const Settings>(settings), {}, ""});
  };
  const std::vector<CacheKey> keys = {
      key_with([](Settings&) {}),
      key_with([](Settings& s) { s.off = Heuristic::records; }),
      key_with([](Settings& s) { s.checks = Check::bounds; }),
      key_with([](Settings& s) { s.cpu.name += "x"; }),
      key_with([](Settings& s) { s.cpu.features += ",+x"; }),
      key_with([](Settings& s) { s.cpu.capabilities.gathers ^= true; }),
      key_with([](Settings& s) { s.last_step = 3; }),
      key_with([](Settings& s) { s.width = 4; }),
      key_with([](Settings& s) { s.reversed ^= true; }),
      key_with([](Settings& s) { s.same_bits ^= true; }),
      key_with([](Settings& s) { s.flush_denormals ^= true; }),
      key_with([](Settings& s) { s.contract ^= true; }),
      key_with([](Settings& s) { s.reads_files ^= true; }),
      key_with([](Settings& s) { s.assembly ^= true; }),
      key_with([](Settings& s) { s.statistics ^= true; }),
      key_with([](Settings& s) { s.coverage ^= true; }),
      key_with([](Settings& s) { s.has_tier1 ^= true; }),
      key_with([](Settings& s) { s.language.lacks = {"cl_khr_fp64"}; }),
      key_with([](Settings& s) { s.language.lacks = {"cl_khr_fp16"}; }),
      key_with([](Settings& s) { s.language.newest_c = 1; }),
      key_with([](Settings& s) { s.language.default_c = 1; }),
      key_with([](Settings& s) { s.language.newest_spirv = 1; }),
      key_with([](Settings& s) { s.language.device_version = 1; }),
      key_with([](Settings& s) { s.language.address_bits = 32; }),
      key_with([](Settings& s) { s.language.sub_group_sizes = {8}; }),
      key_with([](Settings& s) { s.language.sub_group_sizes = {8, 16}; }),
  };
  for (std::size_t i = 0; i < keys.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      CAPTURE(i, j);
      CHECK(keys[i] != keys[j]);
    }
}

TEST_CASE("Jobs: a request is the same again after it was sent, and refused if a byte is missing", "[jobs]") {
  const auto module = std::make_shared<Module>(ModuleProperties(), std::vector<std::byte>(9));
  KernelId kernel{default_settings(), module, "k", {{1, 0, 2, 3, 4}}};
  Variant variant;
  variant.row = 77;
  const ObjectRequest request{kernel, variant, FallbackLevel::scalar, 16};
  const std::vector<std::byte> bytes = packed(request);
  ObjectRequest again;
  REQUIRE(unpack(bytes, again));
  CHECK(again.kernel == request.kernel);
  CHECK(again.variant == request.variant);
  CHECK(again.level == request.level);
  CHECK(again.width == request.width);
  CHECK(packed(again) == bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK_FALSE(unpack(std::span(bytes).first(size), again));
}
