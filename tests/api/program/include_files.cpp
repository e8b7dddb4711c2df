// Which files a program's source may read: #include, #embed, __has_include and __has_embed.

#include "support/session.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

namespace {

/// A folder for one test.
struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string name = std::filesystem::temp_directory_path() / "hostcl.XXXXXX";
    path = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  void write(const char* name, const char* text) const { std::ofstream(path / name) << text; }
};

struct Built {
  cl_int status;
  std::string log;
};

Built build(const test::Session& session, const std::string& source, const std::string& options) {
  const auto program = session.source(source.c_str());
  const cl_int status = clBuildProgram(program, 0, nullptr, options.c_str(), nullptr, nullptr);
  return {status, test::build_log(program)};
}

constexpr const char* kernel = "\nkernel void k(global int* v) { *v = X; }";

} // namespace

TEST_CASE("clBuildProgram: #include reads regular files", "[include_files]") {
  const test::Session session;
  const Folder folder;
  folder.write("x.h", "#define X 7\n");
  CHECK_CL(build(session, std::string("#include \"x.h\"") + kernel, "-I " + folder.path.string()).status);
}

TEST_CASE("clBuildProgram: #include of a FIFO, a device or a link to one is refused and does not wait",
          "[include_files]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  const Folder folder;
  REQUIRE(mkfifo((folder.path / "fifo").c_str(), 0600) == 0);
  REQUIRE(symlink("/dev/zero", (folder.path / "link").c_str()) == 0);
  for (const std::string& name : {(folder.path / "fifo").string(), (folder.path / "link").string(),
                                  std::string("/dev/zero"), std::string("/dev/tty")}) {
    for (const std::string& source : {"#include \"" + name + "\"\n#define X 1",
                                      "char t[] = {\n#embed \"" + name + "\" limit(1)\n};\n#define X 1",
                                      "#if __has_include(\"" + name + "\")\n#endif\n#define X 1"}) {
      CAPTURE(source);
      const Built built = build(session, source + kernel, "");
      CHECK_STATUS(built.status, CL_BUILD_PROGRAM_FAILURE);
      CHECK(built.log.find("not a regular file") != built.log.npos);
    }
  }
}

TEST_CASE("clBuildProgram: a file of more than 256 MB is refused", "[include_files]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  const Folder folder;
  folder.write("large.h", "");
  REQUIRE(truncate((folder.path / "large.h").c_str(), off_t{1} << 40) == 0);
  const Built built =
      build(session, std::string("#include \"large.h\"") + kernel, "-DX=1 -I " + folder.path.string());
  CHECK_STATUS(built.status, CL_BUILD_PROGRAM_FAILURE);
  CHECK(built.log.find("larger than 256 MB") != built.log.npos);
}

TEST_CASE("clBuildProgram: with -cl-hostcl-no-include no file is found, and the log says why",
          "[include_files]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  const Folder folder;
  folder.write("x.h", "#define X 7\n");
  const std::string options = "-cl-hostcl-no-include -I " + folder.path.string();
  const Built built = build(session, std::string("#include \"x.h\"") + kernel, options);
  CHECK_STATUS(built.status, CL_BUILD_PROGRAM_FAILURE);
  CHECK(built.log.find("-cl-hostcl-no-include") != built.log.npos);
  const std::string asked = "#if __has_include(\"x.h\") || __has_include(\"/etc/passwd\") || "
                            "__has_embed(\"/etc/passwd\")\n#error found\n#endif\n#define X 1";
  CHECK_CL(build(session, asked + kernel, options).status);
  CHECK_STATUS(build(session,
                     std::string("#define X 1\nconstant char t[] = {\n#embed \"/etc/passwd\"\n};") + kernel,
                     options)
                   .status,
               CL_BUILD_PROGRAM_FAILURE);
}

TEST_CASE("clCompileProgram: headers that are given are found with -cl-hostcl-no-include",
          "[include_files]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  const auto header = session.source("#define X 7\n");
  const auto program = session.source((std::string("#include \"x.h\"") + kernel).c_str());
  const cl_program headers[] = {header};
  const char* names[] = {"x.h"};
  CHECK_CL(
      clCompileProgram(program, 0, nullptr, "-cl-hostcl-no-include", 1, headers, names, nullptr, nullptr));
}
