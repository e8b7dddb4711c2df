// Build options (OpenCL 3.0 API, 5.8.6)

#include "support/session.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace {

/// The int that a kernel "k" stores, built with these options.
int result(const test::Session& session, const char* source, const char* options) {
  const auto kernel = session.kernel(source, "k", options);
  auto buffer = session.buffer(4);
  test::set_arguments(kernel, buffer);
  session.run(kernel, 1);
  return session.read<int>(buffer, 1)[0];
}

constexpr const char* store_x = "kernel void k(global int* v) { *v = X; }";

struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string name = std::filesystem::temp_directory_path() / "hostcl_test_";
    name.append(6, 'X'); // mkdtemp() puts something unique in their place
    const char* made = mkdtemp(name.data());
    REQUIRE(made != nullptr);
    path = made;
  }
  ~Folder() { std::filesystem::remove_all(path); }
};

} // namespace

TEST_CASE("-D defines, with and without a value and a space", "[options]") {
  const test::Session session;
  CHECK(result(session, store_x, "-DX=5") == 5);
  CHECK(result(session, store_x, "-D X=6") == 6);
  CHECK(result(session, store_x, "-DX") == 1);
  CHECK(result(session, store_x, "  -D   X=7   -DY  ") == 7);
  CHECK(result(session, "#define F(x) X\nkernel void k(global int* v) { *v = F(1); }", "-DX=(1+2)") == 3);
}

TEST_CASE("-D takes quoted values", "[options]") {
  const test::Session session;
  CHECK(result(session, store_x, "\"-DX=1 + 2\"") == 3);
  CHECK(result(session, store_x, "-DX=\"2 + 2\"") == 4);
}

TEST_CASE("-I finds headers, also in folders with spaces", "[options]") {
  const test::Session session;
  const Folder folder;
  std::filesystem::create_directory(folder.path / "a b");
  std::ofstream(folder.path / "x.h") << "#define X 11\n";
  std::ofstream(folder.path / "a b" / "y.h") << "#define X 12\n";
  const char* include_x = "#include \"x.h\"\nkernel void k(global int* v) { *v = X; }";
  const char* include_y = "#include <y.h>\nkernel void k(global int* v) { *v = X; }";
  CHECK(result(session, include_x, ("-I " + folder.path.string()).c_str()) == 11);
  CHECK(result(session, include_x, ("-I" + folder.path.string()).c_str()) == 11);
  CHECK(result(session, include_y, ("-I \"" + folder.path.string() + "/a b\"").c_str()) == 12);
}

TEST_CASE("-w and -Werror mean what they say", "[options]") {
  const test::Session session;
  const char* source = "#warning look here\nkernel void k() {}";
  std::string log;
  CHECK_CL(session.try_build(source, "-w", &log));
  CHECK(log.find("look here") == std::string::npos);
  CHECK_STATUS(session.try_build(source, "-Werror", &log), CL_BUILD_PROGRAM_FAILURE);
  CHECK(log.find("look here") != std::string::npos);
}

TEST_CASE("Every standard option is accepted", "[options]") {
  const test::Session session;
  const char* source = "kernel void k(global float* v) { *v = sqrt(*v) / 3.0f; }";
  for (const char* option :
       {"-cl-single-precision-constant", "-cl-denorms-are-zero", "-cl-fp32-correctly-rounded-divide-sqrt",
        "-cl-opt-disable", "-cl-mad-enable", "-cl-no-signed-zeros", "-cl-unsafe-math-optimizations",
        "-cl-finite-math-only", "-cl-fast-relaxed-math", "-cl-uniform-work-group-size", "-cl-no-subgroup-ifp",
        "-cl-kernel-arg-info", "-g", "-cl-std=CL1.1", "-cl-std=CL1.2", "-cl-std=CL2.0", "-cl-std=CL3.0",
        "-cl-std=CL3.1"}) {
    CAPTURE(option);
    std::string log;
    CHECK_CL(session.try_build(source, option, &log));
  }
}

TEST_CASE("-cl-std sets __OPENCL_C_VERSION__", "[options]") {
  const test::Session session;
  const char* source = "kernel void k(global int* v) { *v = __OPENCL_C_VERSION__; }";
  CHECK(result(session, source, "-cl-std=CL1.1") == 110);
  CHECK(result(session, source, "-cl-std=CL1.2") == 120);
  CHECK(result(session, source, "") == 120);
  CHECK(result(session, source, "-cl-std=CL2.0") == 200);
  CHECK(result(session, source, "-cl-std=CL3.0") == 300);
  CHECK(result(session, source, "-cl-std=CL3.1") == 310);
  CHECK(result(session, source, "-cl-std=CL3.1 -Werror") == 310);
  CHECK(result(session, source, "-cl-std=CL3.1 -cl-std=CL3.0") == 300);
  CHECK(result(session, source, "-cl-std=CL3.0 -cl-std=CL3.1") == 310);
}

TEST_CASE("-cl-std of an unknown version is CL_INVALID_BUILD_OPTIONS", "[options]") {
  const test::Session session;
  CHECK_STATUS(session.try_build("kernel void k() {}", "-cl-std=CL9.9"), CL_INVALID_BUILD_OPTIONS);
}

TEST_CASE("The macros of the device and the profile are set", "[options]") {
  const test::Session session;
  CHECK(result(session, "kernel void k(global int* v) { *v = __OPENCL_VERSION__; }", "") == 310);
  CHECK(result(session, "kernel void k(global int* v) { *v = CL_VERSION_3_1; }", "") == 310);
  CHECK(result(session, "kernel void k(global int* v) { *v = CL_VERSION_1_2; }", "") == 120);
  CHECK(result(session, "kernel void k(global int* v) { *v = __ENDIAN_LITTLE__; }", "") == 1);
  CHECK(result(session, "kernel void k(global int* v) { *v = sizeof(size_t); }", "") == 8);
  session.build("#ifdef __FAST_RELAXED_MATH__\n#error set\n#endif\nkernel void k() {}");
  session.build("#ifndef __FAST_RELAXED_MATH__\n#error not set\n#endif\nkernel void k() {}",
                "-cl-fast-relaxed-math");
}

TEST_CASE("-g keeps results", "[options]") {
  const test::Session session;
  CHECK(result(session, store_x, "-g -DX=21") == 21);
  CHECK(result(session, store_x, "-g -cl-opt-disable -DX=22") == 22);
}

TEST_CASE("-cl-hostcl-debug takes names of kernels", "[options]") {
  const test::Session session;
  CHECK(result(session, store_x, "-cl-hostcl-debug=k -DX=23") == 23);
  CHECK(result(session, store_x, "-cl-hostcl-debug=other,,k -DX=24") == 24);
  CHECK(result(session, store_x, "-cl-hostcl-debug=other -DX=25") == 25);
  CHECK_STATUS(session.try_build(store_x, "-DX=1 -cl-hostcl-debug="), CL_INVALID_BUILD_OPTIONS);
}

TEST_CASE("-cl-opt-disable keeps the results of barriers and loops", "[options]") {
  const test::Session session;
  const auto kernel = session.kernel(R"(
    kernel void k(global int* v, local int* t) {
      int l = get_local_id(0), n = get_local_size(0);
      t[l] = l;
      for (int s = n / 2; s > 0; s /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < s) t[l] += t[l + s];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      v[get_global_id(0)] = t[0];
    })",
                                     "k", "-cl-opt-disable");
  auto buffer = session.buffer(sizeof(cl_int) * 256);
  test::set_arguments(kernel, buffer, test::Local{sizeof(cl_int) * 64});
  session.run(kernel, 256, 64);
  CHECK(session.read<int>(buffer, 256) == std::vector<int>(256, 64 * 63 / 2));
}
