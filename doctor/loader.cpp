#include "doctor/loader.hpp"

#include "doctor/facts.hpp"
#include "doctor/isolated.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include <dlfcn.h>
#include <link.h>

namespace hostcl::doctor {

namespace {

/// A piece of information about the loader, by clGetICDLoaderInfoOCLICD(), which ocl-icd and Khronos' loader have.
std::string loader_info(void* library, unsigned what) {
  constexpr const char* function = "clGetICDLoaderInfoOCLICD";
  using Info = int (*)(unsigned, std::size_t, void*, std::size_t*);
  using Find = void* (*)(const char*);
  auto* find = reinterpret_cast<Find>(::dlsym(library, "clGetExtensionFunctionAddress"));
  auto* info = find ? reinterpret_cast<Info>(find(function)) : nullptr;
  char text[256] = {};
  if (!info || info(what, sizeof text - 1, text, nullptr) != 0) return {};
  return text;
}

/// Loads the ICD loader's library as an application does. A loader that is asked for its version also loads the
/// drivers. So the loader is asked only in a child process, where environment variables make it find no drivers.
llvm::json::Value examine(const std::string& name, In where) {
  if (where == In::child) {
    ::setenv("OCL_ICD_VENDORS", "/dev/null/none", 1);
    ::unsetenv("OCL_ICD_FILENAMES");
  }
  void* library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return llvm::json::Object{{"error", llvm::json::fixUTF8(::dlerror())}};
  constexpr unsigned version = 2;
  const link_map* map = nullptr;
  ::dlinfo(library, RTLD_DI_LINKMAP, &map);
  return llvm::json::Object{
      {"path", llvm::json::fixUTF8(map && map->l_name ? map->l_name : name)},
      {"complete", ::dlsym(library, "clGetPlatformIDs") != nullptr},
      {"version", where == In::child ? llvm::json::fixUTF8(loader_info(library, version)) : ""},
  };
}

/// The zero-terminated string in a file that ends with `end`; empty if there is none.
std::string string_around(llvm::StringRef bytes, llvm::StringRef end) {
  const std::size_t found = bytes.find(end);
  if (found == bytes.npos) return {};
  const std::size_t before = bytes.rfind('\0', found);
  return bytes.slice(before == bytes.npos ? 0 : before + 1, found + end.size()).str();
}

/// Finds the kind of the loader and its folder of .icd files in the bytes of its library, without calling it: each kind
/// contains the names of the variables that it reads.
void examine_bytes(Loader& loader) {
  auto file = llvm::MemoryBuffer::getFile(loader.path);
  if (!file) return;
  const llvm::StringRef bytes = (*file)->getBuffer();
  if (bytes.contains("OCL_ICD_ASSUME_ICD_EXTENSION"))
    loader.kind = Loader::Kind::ocl_icd;
  else if (bytes.contains("OCL_ICD_FILENAMES"))
    loader.kind = Loader::Kind::khronos;
  // Loaders of Conda and similar environments look in a folder of their own.
  if (const std::string folder = string_around(bytes, "OpenCL/vendors");
      llvm::StringRef(folder).starts_with("/"))
    loader.vendors_folder = folder;
}

/// The folders in which the dynamic linker looks for libraries.
std::vector<std::string> library_folders() {
  std::vector<std::string> folders;
  Dl_serinfo size;
  void* self = ::dlopen(nullptr, RTLD_NOW);
  if (::dlinfo(self, RTLD_DI_SERINFOSIZE, &size) == 0) {
    const auto memory = std::make_unique<char[]>(size.dls_size);
    auto* list = reinterpret_cast<Dl_serinfo*>(memory.get());
    if (::dlinfo(self, RTLD_DI_SERINFOSIZE, list) == 0 && ::dlinfo(self, RTLD_DI_SERINFO, list) == 0)
      for (unsigned i = 0; i < list->dls_cnt; ++i)
        folders.emplace_back(list->dls_serpath[i].dls_name);
  }
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/etc/ld.so.conf.d", error)) {
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);)
      if (llvm::StringRef(line).starts_with("/")) folders.push_back(line);
  }
  return folders;
}

/// ICD loaders on this machine other than `used`. Applications that have a search path of their own load one of these.
std::vector<std::string> other_loaders(const std::string& used) {
  auto real = [](const std::string& path) {
    llvm::SmallString<256> result;
    return llvm::sys::fs::real_path(path, result) ? std::string() : result.str().str();
  };
  std::vector<std::string> found, known = {real(used)};
  for (const std::string& folder : library_folders()) {
    const std::string path = folder + "/libOpenCL.so.1", target = real(path);
    if (target.empty() || llvm::is_contained(known, target)) continue;
    known.push_back(target);
    found.push_back(path);
  }
  return found;
}

void report_missing(Report& report, const std::string& name, const Answer& answer) {
  const auto error = answer.object().getString("error");
  const std::string why = error ? error->str() : "while it was loaded, " + answer.failure;
  if (llvm::StringRef(why).contains(name + ": cannot open shared object file"))
    report.problem("loader.none", "there is no ICD loader: " + why,
                   "install one: apt-get install ocl-icd-libopencl1");
  else
    report.problem("loader.broken", "the ICD loader " + name + " cannot be used: " + why,
                   "install the loader again: apt-get install --reinstall ocl-icd-libopencl1");
}

} // namespace

std::string name_of(const Loader& loader) {
  llvm::StringRef kind = loader.kind == Loader::Kind::ocl_icd   ? "ocl-icd"
                         : loader.kind == Loader::Kind::khronos ? "Khronos' loader"
                                                                : "a loader of an unknown kind";
  return loader.version.empty() ? kind.str() : (kind + " " + loader.version).str();
}

Loader find_loader(Report& report, const std::string& name) {
  report.begin_section("ICD loader");
  Loader loader;
  const Answer answer = run_isolated([&](In where) { return examine(name, where); });
  if (const auto path = answer.object().getString("path")) {
    loader.path = path->str();
    loader.version = text_in(answer.object(), "version");
    examine_bytes(loader);
    if (answer.object().getBoolean("complete").value_or(false))
      report.well("loader",
                  name + " is " + loader.path + ", " + name_of(loader) + "; it reads the folder " +
                      loader.vendors_folder,
                  llvm::json::Object{{"path", llvm::json::fixUTF8(loader.path)}, {"kind", name_of(loader)}});
    else
      report.problem("loader.incomplete", loader.path + " has no function clGetPlatformIDs",
                     "it is not an ICD loader: remove it, or take its folder out of LD_LIBRARY_PATH");
  } else {
    report_missing(report, name, answer);
  }
  for (const std::string& path : other_loaders(loader.path)) {
    Loader other{.path = path};
    examine_bytes(other);
    report.note("loader.other", "another loader is " + path + ", " + name_of(other) + "; --loader=" + path +
                                    " shows what applications see through it");
  }
  return loader;
}

} // namespace hostcl::doctor
