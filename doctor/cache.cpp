#include "doctor/cache.hpp"

#include "compiler/cache/cache_files.hpp"
#include "runtime/support/options.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <sys/statvfs.h>
#include <unistd.h>

namespace hostcl::doctor {

namespace {

constexpr const char* remedy =
    "set HOSTCL_CACHE_DIR to a folder of your own, or HOSTCL_CACHE=0 to do without a cache";

void report_entries(Report& report, const std::string& path, const compiler::Descriptor& folder) {
  std::uint64_t bytes = 0;
  const std::vector<compiler::CachedFile> files = compiler::list_files(folder);
  for (const compiler::CachedFile& file : files)
    bytes += file.size;
  struct statvfs space{};
  ::fstatvfs(folder.number(), &space);
  const std::uint64_t free = std::uint64_t{space.f_bavail} * space.f_frsize;
  report.well("cache",
              path + " is used: " + std::to_string(files.size()) + " entries, " +
                  std::to_string(bytes >> 20) + " of at most " +
                  std::to_string(runtime::options().cache_size >> 20) + " MB, " + std::to_string(free >> 20) +
                  " MB free on its file system",
              llvm::json::Object{{"path", llvm::json::fixUTF8(path)},
                                 {"entries", static_cast<std::int64_t>(files.size())},
                                 {"bytes", static_cast<std::int64_t>(bytes)}});
}

/// Writes a file into the folder and removes it. @returns errno if the file cannot be written, or 0
int try_write(const compiler::Descriptor& folder) {
  const std::array<std::byte, 1> byte{};
  const std::span<const std::byte> part = byte;
  const std::string name = compiler::write_beside(folder, "doctor", std::span(&part, 1));
  if (name.empty()) return errno;
  ::unlinkat(folder.number(), name.c_str(), 0);
  return 0;
}

} // namespace

void check_cache(Report& report) {
  report.begin_section("Cache of compiled programs");
  if (!runtime::options().cache) {
    report.note("cache.off", "HOSTCL_CACHE turns the cache off: each process compiles its kernels again");
    return;
  }
  const std::string named = runtime::cache_folder();
  if (named.empty()) {
    report.problem("cache.none",
                   "the cache has no folder: neither HOSTCL_CACHE_DIR nor XDG_CACHE_HOME nor HOME names one",
                   remedy);
    return;
  }
  std::error_code error;
  const std::string absolute = std::filesystem::absolute(named, error).string();
  const std::string path = error ? named : absolute;
  compiler::make_folder(path);
  const int make_error = errno;
  if (llvm::Error why = compiler::check_folder(path)) {
    report.problem("cache.refused", path + " is not used: " + llvm::toString(std::move(why)), remedy);
    return;
  }
  const compiler::Descriptor folder = compiler::open_folder(path);
  if (!folder)
    report.problem("cache.not-made", path + " cannot be made: " + std::strerror(make_error), remedy);
  else if (const int write_error = try_write(folder))
    report.problem("cache.not-writable", path + " cannot be written to: " + std::strerror(write_error),
                   remedy);
  else
    report_entries(report, path, folder);
}

} // namespace hostcl::doctor
