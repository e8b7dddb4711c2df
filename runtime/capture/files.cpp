#include "runtime/capture/files.hpp"

#include "runtime/support/result.hpp"

#include "compiler/isolation/new_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <vector>

#include <sys/stat.h>
#include <zstd.h>

namespace hostcl::runtime::capture {

namespace {

[[noreturn]] void fail_to_write(const std::string& file, int error) {
  throw Unwritable(text(file, " cannot be written: ", std::strerror(error)));
}

} // namespace

std::string make_folder(const std::string& folder, const std::string& name) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) fail_to_write(folder, error.value());
  std::string path = folder + "/" + name;
  for (unsigned number = 2; mkdir(path.c_str(), 0777) != 0; ++number) {
    if (errno != EEXIST) fail_to_write(path, errno);
    path = text(folder, "/", name, ".", number);
  }
  return path;
}

void write_file(const std::string& file, std::string_view contents) {
  if (const int error = replace_file(file, contents)) fail_to_write(file, error);
}

void write_compressed(const std::string& file, std::span<const std::byte> contents) {
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };
  const std::unique_ptr<ZSTD_CCtx, Free> context(ZSTD_createCCtx());
  if (!context) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  ZSTD_CCtx_setPledgedSrcSize(context.get(), contents.size());
  std::vector<char> buffer(ZSTD_CStreamOutSize());
  ZSTD_inBuffer in{contents.data(), contents.size(), 0};
  NewFile to(file);
  for (std::size_t left = 1; left != 0;) {
    ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
    left = ZSTD_compressStream2(context.get(), &out, &in, ZSTD_e_end);
    if (ZSTD_isError(left)) throw Unwritable(text(file, " cannot be written: ", ZSTD_getErrorName(left)));
    to.write({buffer.data(), out.pos});
  }
  if (const int error = to.finish()) fail_to_write(file, error);
}

} // namespace hostcl::runtime::capture
