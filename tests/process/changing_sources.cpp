// Builds programs twice with a disk cache, and changes between the builds what they depend on besides source,
// options and given headers: the time, and files. The second build has to notice.

#include "support/choice.hpp"

#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

namespace {

time_t now = 1'000'000'000;

} // namespace

/// What the driver takes for the time.
extern "C" [[gnu::visibility("default")]] time_t time(time_t* result) {
  if (result) *result = now;
  return now;
}

namespace {

namespace fs = std::filesystem;

struct Session {
  cl_device_id device = test::chosen_device();
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
};

using Header = std::pair<const char*, std::string>;

/// A program whose function value() is the result of its kernel.
struct Source {
  std::string text;
  std::string options;
  std::vector<Header> headers = {};
};

constexpr int failed = -1;

cl_program make(const Session& session, const std::string& text) {
  const char* string = text.c_str();
  return clCreateProgramWithSource(session.context, 1, &string, nullptr, nullptr);
}

int run(const Session& session, cl_program program) {
  int value = failed;
  const size_t one = 1;
  cl_kernel kernel = clCreateKernel(program, "k", nullptr);
  cl_mem buffer = clCreateBuffer(session.context, CL_MEM_READ_WRITE, 4, nullptr, nullptr);
  clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr);
  clEnqueueReadBuffer(session.queue, buffer, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr);
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  return value;
}

int build_and_run(const Session& session, const Source& source) {
  cl_program program = make(session, source.text + "\nkernel void k(global int* v) { *v = value(); }");
  std::vector<cl_program> headers;
  std::vector<const char*> names;
  for (const auto& [name, text] : source.headers) {
    headers.push_back(make(session, text));
    names.push_back(name);
  }
  int value = failed;
  if (clCompileProgram(program, 0, nullptr, source.options.c_str(), static_cast<cl_uint>(headers.size()),
                       headers.empty() ? nullptr : headers.data(), headers.empty() ? nullptr : names.data(),
                       nullptr, nullptr) == CL_SUCCESS) {
    cl_program linked =
        clLinkProgram(session.context, 0, nullptr, "", 1, &program, nullptr, nullptr, nullptr);
    value = run(session, linked);
    clReleaseProgram(linked);
  }
  for (cl_program header : headers)
    clReleaseProgram(header);
  clReleaseProgram(program);
  return value;
}

int failures = 0;

void check(bool right, const char* name, int first, int second) {
  if (right) return;
  std::fprintf(stderr, "failed: %s: first %d, then %d\n", name, first, second);
  ++failures;
}

/// A function that is another one for each text that `expression` gives.
std::string hash_of(const std::string& expression) {
  return "int value() { constant char* t = " + expression +
         "; int h = 0; for (int i = 0; t[i]; ++i) h = h * 31 + t[i]; return h & 0xffffff; }";
}

void check_time(const Session& session) {
  const std::pair<const char*, Source> cases[] = {
      {"__TIME__", {hash_of("__TIME__"), ""}},
      {"__DATE__", {hash_of("__DATE__"), ""}},
      {"__TIME__ in a header", {"#include \"h\"", "", {{"h", hash_of("__TIME__")}}}},
      {"__DATE__ in a header of a header",
       {"#include \"h\"", "", {{"h", "#include \"g\""}, {"g", hash_of("__DATE__")}}}},
      {"__TIME__ in an option", {hash_of("WHEN"), "-DWHEN=__TIME__"}},
      {"__TIME__ pasted", {"#define P(a, b) a##b\n" + hash_of("P(__TI, ME__)"), ""}},
      {"__TIME__ over two lines", {hash_of("__TI\\\nME__"), ""}},
  };
  for (const auto& [name, source] : cases) {
    const int first = build_and_run(session, source);
    now += 100'000'001;
    const int second = build_and_run(session, source);
    check(first != failed && second != failed && first != second, name, first, second);
  }
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path) << text;
}

/// `file` is made after the first build, or changed.
void check_file(const Session& session, const char* name, const Source& source, const fs::path& file,
                std::pair<int, int> expected = {1, 2}) {
  const int first = build_and_run(session, source);
  write(file, "int value() { return 2; }");
  const int second = build_and_run(session, source);
  check(first == expected.first && second == expected.second, name, first, second);
  fs::remove(file);
}

void check_files(const Session& session, const fs::path& folder) {
  const fs::path early = folder / "early", late = folder / "late";
  for (const fs::path& made : {early, late})
    fs::create_directories(made);
  fs::current_path(folder);
  const std::string one = "int value() { return 1; }",
                    search = "-I " + early.string() + " -I " + late.string();
  write(early / "changing.h", one);
  write(late / "second.h", one);
  write(late / "nested.h", "#include \"deep.h\"");
  write(late / "deep.h", one);
  write(folder / "here.h", one);
  check_file(session, "a file changes", {"#include \"changing.h\"", search}, early / "changing.h");
  check_file(session, "a file in an earlier folder", {"#include <second.h>", search}, early / "second.h");
  check_file(session, "a file that a file includes", {"#include <nested.h>", search}, late / "deep.h");
  check_file(session, "a file in the working directory", {"#include \"here.h\"", ""}, folder / "here.h");
  const std::string asks = "(\"asked.h\")\n#include \"asked.h\"\n#else\n" + one + "\n#endif";
  check_file(session, "__has_include", {"#if __has_include" + asks, search}, early / "asked.h");
  check_file(session, "__has_include in an option", {"#if ASK" + asks, search + " -DASK=__has_include"},
             early / "asked.h");
  check_file(session, "__has_include in a header",
             {"#include \"h\"", search, {{"h", "#if __has_include" + asks}}}, early / "asked.h");
  write(folder / "embedded", "1");
  const std::string embeds =
      "constant char t[] = {\n#embed \"embedded\"\n};\nint value() { return t[0] == '1' ? 1 : 2; }";
  check_file(session, "#embed", {embeds, ""}, folder / "embedded");
  check_file(session, "a file called like a given header", {"#include \"h\"", search, {{"h", one}}},
             folder / "h", {1, 1});
  write(folder / "g", "int value() { return 2; }");
  const int value = build_and_run(session, {"#include \"g\"", search, {{"g", one}}});
  check(value == 1, "given headers come before files", value, value);
}

} // namespace

int main() {
  std::string pattern = (fs::temp_directory_path() / "hostcl-XXXXXX").string();
  const fs::path folder = mkdtemp(pattern.data());
  setenv("HOSTCL_CACHE", "1", 1);
  setenv("HOSTCL_CACHE_DIR", (folder / "cache").c_str(), 1);
  {
    const Session session;
    check_time(session);
    check_files(session, folder);
    if (!fs::exists(folder / "cache")) {
      std::fprintf(stderr, "failed: nothing was written to the cache\n");
      ++failures;
    }
  }
  fs::current_path("/");
  fs::remove_all(folder);
  return failures ? 1 : 0;
}
