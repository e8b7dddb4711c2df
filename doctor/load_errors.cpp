#include "doctor/load_errors.hpp"

#include "llvm/Support/JSON.h"

#include <gnu/libc-version.h>

namespace hostcl::doctor {

namespace {

/// Error messages of glibc's dynamic linker, recognised by a part of the message.
constexpr struct {
  llvm::StringLiteral part, name, remedy;
} sentences[] = {
    {"failed to map segment", "icd.not-mapped",
     "the file system may be mounted noexec, the address space may be limited (ulimit -v), or a filter "
     "(seccomp) may refuse executable memory"},
    {"cannot change memory protections", "icd.not-mapped", "a filter (seccomp) refuses executable memory"},
    {"cannot apply additional memory protection", "icd.not-mapped", "a filter (seccomp) refuses mprotect()"},
    {"wrong ELF class", "icd.not-library", "install the driver for this architecture"},
    {"invalid ELF header", "icd.not-library", "write the path of a shared library there"},
    {"file too short", "icd.not-library", "the library is damaged: install its driver again"},
    {"cannot read file data", "icd.not-library", "write the path of a shared library there"},
    {"static TLS block", "icd.tls",
     "load fewer libraries before it, or set GLIBC_TUNABLES=glibc.rtld.optional_static_tls=4096"},
    {"undefined symbol", "icd.undefined-symbol",
     "a library that it needs has another version: install the driver again"},
    {"Permission denied", "icd.no-permission", "allow everyone to read the library and to enter its folders"},
    {"File name too long", "icd.no-library", "write the library's path into it"},
};

LoadError old_library(llvm::StringRef sentence) {
  const llvm::StringRef version = sentence.split("version `").second.split('\'').first;
  if (version.starts_with("GLIBC_"))
    return {"icd.old-glibc",
            "it needs glibc " + version.drop_front(6).str() + ", this system has " +
                ::gnu_get_libc_version() + ": " + sentence.str(),
            "use a newer system, or a driver that was built for this one"};
  return {"icd.old-library", "a library that it needs is too old: " + sentence.str(),
          "install a newer version of the package that has " + version.split('_').first.lower()};
}

LoadError missing_file(llvm::StringRef sentence, llvm::StringRef library) {
  const llvm::StringRef missing = sentence.split(": ").first;
  if (missing == llvm::json::fixUTF8(library)) // the message has been converted to UTF-8 as well
    return {"icd.no-library", "there is no such library",
            library.contains('/')
                ? "write the path of the driver's library there, or install the driver again"
                : "the dynamic linker does not find this name: write the full path there"};
  std::string remedy = "install the package that has " + missing.str();
  if (missing.starts_with("hcltbb")) remedy = "copy it into the folder of libhostcl.so";
  return {"icd.missing-dependency", "it needs " + missing.str() + ", which is not found", remedy};
}

} // namespace

LoadError explain_load_error(llvm::StringRef sentence, llvm::StringRef library) {
  if (sentence.contains("version `") && sentence.contains("not found")) return old_library(sentence);
  if (sentence.contains("cannot open shared object file: No such file"))
    return missing_file(sentence, library);
  for (const auto& row : sentences)
    if (sentence.contains(row.part))
      return {row.name.str(), "it cannot be loaded: " + sentence.str(), row.remedy.str()};
  return {"icd.not-loaded", "it cannot be loaded: " + sentence.str(),
          "install its driver again, or remove it"};
}

} // namespace hostcl::doctor
