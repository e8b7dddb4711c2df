#include "doctor/icd_files.hpp"

#include "llvm/ADT/StringExtras.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hostcl::doctor {

namespace {

using Kind = Loader::Kind;

std::string variable(const char* name) {
  const char* value = ::secure_getenv(name);
  return value ? value : "";
}

bool is_folder(const std::string& path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

/// The first bytes of a file, or the reason why it cannot be read.
struct Content {
  std::string bytes{}, failure{};
};

Content read_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC); // may be a FIFO
  if (file < 0) return {.failure = std::strerror(errno)};
  struct stat status;
  Content content;
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    content.failure = S_ISDIR(status.st_mode) ? "it is a folder" : "it is not a regular file";
  } else {
    std::array<char, 1 << 14> buffer;
    const ssize_t count = ::read(file, buffer.data(), buffer.size());
    if (count < 0)
      content.failure = std::strerror(errno);
    else
      content.bytes.assign(buffer.data(), static_cast<std::size_t>(count));
  }
  ::close(file);
  return content;
}

/// The part of the file that the loader takes for the library's name: ocl-icd takes the first line, Khronos' loader
/// takes the whole file.
std::string name_in(llvm::StringRef bytes, Kind kind) {
  bytes = bytes.take_front(bytes.find('\0'));
  if (kind == Kind::ocl_icd)
    bytes = bytes.take_front(bytes.find('\n'));
  else
    bytes.consume_back("\n");
  return bytes.str();
}

/// The mistake in a name as it stands in the file; empty if there is none.
std::string why_wrong(llvm::StringRef name, llvm::StringRef bytes) {
  if (bytes.trim().empty()) return "is empty";
  if (name.empty()) return "begins with an empty line";
  if (name.contains('\n')) return "has several lines, which the loader takes as one name";
  if (name.ends_with("\r"))
    return "has lines that end as on Windows, so the name ends with a carriage return";
  if (name != name.trim())
    return "has blanks before or after the name, which the loader takes as part of the name";
  return {};
}

/// The candidates of one call of find_candidates().
class Search {
public:
  Search(Report& report, const Loader& loader) : report_(report), loader_(loader) {}

  void read_variables();
  std::vector<Candidate> take() && { return std::move(found_); }

private:
  void read_vendors(const std::string& value, bool is_set);
  void read_folder(const std::string& path, const std::string& origin);
  void read_icd(const std::string& path);
  std::string default_folder() const;

  Report& report_;
  const Loader& loader_;
  std::vector<Candidate> found_;
};

std::string Search::default_folder() const {
  // Only ocl-icd reads OPENCL_VENDOR_PATH.
  const std::string folder = loader_.kind == Kind::ocl_icd ? variable("OPENCL_VENDOR_PATH") : "";
  return folder.empty() ? loader_.vendors_folder : folder;
}

void Search::read_icd(const std::string& path) {
  const Content content = read_file(path);
  if (!content.failure.empty()) {
    report_.problem("icd.unreadable", path + " cannot be read: " + content.failure,
                    "make it a text file that everyone may read, or remove it");
    return;
  }
  const std::string name = name_in(content.bytes, loader_.kind);
  if (const std::string wrong = why_wrong(name, content.bytes); !wrong.empty())
    report_.problem("icd.text", path + " " + wrong + ": '" + name + "'",
                    "write the library's path, one line and nothing else, into it");
  else
    found_.push_back({path, name});
}

void Search::read_folder(const std::string& path, const std::string& origin) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.c_str()), ::closedir);
  if (!folder) {
    report_.problem(
        "icd.no-folder", origin + ": the folder " + path + " cannot be read: " + std::strerror(errno),
        "install a driver (apt-get install ./hostcl_*.deb), or set OCL_ICD_VENDORS to a folder that "
        "has hostcl.icd");
    return;
  }
  bool is_empty = true;
  while (const dirent* entry = ::readdir(folder.get()))
    if (const llvm::StringRef name = entry->d_name; name.ends_with(".icd")) {
      is_empty = false;
      read_icd(path + "/" + name.str());
    }
  if (is_empty)
    report_.problem("icd.empty-folder",
                    origin + ": the folder " + path + " has no file whose name ends with .icd",
                    "put hostcl.icd into it, a file with the path of libhostcl.so");
}

void Search::read_vendors(const std::string& value, bool is_set) {
  constexpr const char* name = "OCL_ICD_VENDORS";
  // Khronos' loader takes the empty value for the name of a folder.
  if (!is_set || (value.empty() && loader_.kind == Kind::ocl_icd)) {
    read_folder(default_folder(), "no variable names another folder");
    return;
  }
  report_.note("icd.vendors", std::string(name) + "=" + value + " replaces " + default_folder());
  const std::string origin = std::string(name) + "=" + value;
  if (loader_.kind != Kind::ocl_icd || is_folder(value)) {
    if (is_folder(value))
      read_folder(value, origin);
    else
      report_.problem("icd.vendors-not-folder",
                      origin + " is not a folder, which " + name_of(loader_) + " needs",
                      "set it to the folder that has the .icd file, or OCL_ICD_FILENAMES to the library");
  } else if (!llvm::StringRef(value).ends_with(".icd")) {
    found_.push_back({name, value}); // ocl-icd loads it
  } else {
    const std::string in_default = default_folder() + "/" + value;
    const bool is_there = !llvm::StringRef(value).contains('/') && ::access(in_default.c_str(), R_OK) == 0;
    read_icd(is_there ? in_default : value);
  }
}

void Search::read_variables() {
  const std::string file_names = variable("OCL_ICD_FILENAMES");
  if (takes_file_names(loader_)) {
    for (llvm::StringRef rest = file_names; !rest.empty();) {
      auto [first, others] = rest.split(':');
      found_.push_back({"OCL_ICD_FILENAMES", first.str()});
      rest = others;
    }
  } else if (!file_names.empty()) {
    report_.problem("icd.file-names-unread",
                    "OCL_ICD_FILENAMES=" + file_names + " has no effect: " + name_of(loader_) +
                        " does not read it",
                    "set OCL_ICD_VENDORS to the library or to a folder with an .icd file");
  }
  read_vendors(variable("OCL_ICD_VENDORS"), ::secure_getenv("OCL_ICD_VENDORS") != nullptr);
}

} // namespace

std::vector<Candidate> find_candidates(Report& report, const Loader& loader) {
  report.begin_section("ICD files");
  Search search(report, loader);
  search.read_variables();
  return std::move(search).take();
}

} // namespace hostcl::doctor
