// What an argument takes follows from its type, whatever the program calls the type (OpenCL 3.0 API, 5.9.2).

#include "support/session.hpp"

#include <string>

TEST_CASE("clSetKernelArg: structures and numbers are values, whatever their types are called",
          "[argument_kind]") {
  const test::Session session;
  for (const std::string name :
       {"image", "image_t", "image2d", "image2d_tt", "image_pixel", "sampler", "sampler_like", "sampler_tt",
        "counter32_tx", "counter32", "event_tt", "queue_tt", "pipe_x", "reserve_id_x", "my_sampler_t"}) {
    CAPTURE(name);
    const auto record = session.kernel(("typedef struct { int a, b; } " + name +
                                        "; kernel void k(global int* out, " + name + " x) { out[0] = x.b; }")
                                           .c_str(),
                                       "k");
    const auto tagged =
        session.kernel(("struct " + name + " { int a, b; }; kernel void k(global int* out, struct " + name +
                        " x) { out[0] = x.b; }")
                           .c_str(),
                       "k");
    const auto number = session.kernel(
        ("typedef int2 " + name + "; kernel void k(global int* out, " + name + " x) { out[0] = x.y; }")
            .c_str(),
        "k");
    for (const auto* kernel : {&record, &tagged, &number}) {
      const auto out = session.buffer(std::vector<int>{0});
      test::set_arguments(*kernel, out, cl_int2{{5, 6}});
      session.run(*kernel, 1);
      CHECK(session.read<int>(out, 1)[0] == 6);
      CHECK_STATUS(test::set_argument(*kernel, 1, cl_char(1)), CL_INVALID_ARG_SIZE);
    }
  }
}

TEST_CASE("clSetKernelArg: pointers take buffers, whatever their types are called", "[argument_kind]") {
  const test::Session session;
  for (const std::string name :
       {"image_pixel", "image2d_tt", "sampler_tt", "counter32_tx", "pipe_x", "event_tt"}) {
    CAPTURE(name);
    const auto kernel = session.kernel(("typedef struct { int a, b; } " + name + "; kernel void k(global " +
                                        name + "* out, constant " + name + "* in, local " + name +
                                        "* scratch) { scratch[0] = in[1]; out[0] = scratch[0]; }")
                                           .c_str(),
                                       "k");
    const auto out = session.buffer(std::vector<int>{0, 0}),
               in = session.buffer(std::vector<int>{1, 2, 3, 4});
    test::set_arguments(kernel, out, in, test::Local{8});
    session.run(kernel, 1);
    CHECK(session.read<int>(out, 2) == std::vector<int>{3, 4});
  }
}

TEST_CASE("clSetKernelArg: images and samplers are known by the names that programs give them",
          "[argument_kind]") {
  if (!test::is_hostcl()) return; // which has neither
  const test::Session session;
  const auto kernel =
      session.kernel("typedef sampler_t filter;\n"
                     "kernel void k(read_only image2d_t i, write_only image1d_t j, filter s) {}",
                     "k", "-cl-kernel-arg-info");
  const auto buffer = session.buffer(64);
  const cl_mem handle = buffer;
  CHECK_STATUS(clSetKernelArg(kernel, 0, sizeof handle, &handle), CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(clSetKernelArg(kernel, 1, sizeof handle, &handle), CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(clSetKernelArg(kernel, 2, sizeof handle, &handle), CL_INVALID_SAMPLER);
  for (cl_uint i = 0; i < 3; ++i)
    CHECK_STATUS(clSetKernelArg(kernel, i, 4, &handle), CL_INVALID_ARG_SIZE);
}

TEST_CASE("clSetKernelArg: no host queue is a queue_t, nothing a clk_event_t", "[argument_kind]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  const auto kernel = session.kernel("kernel void k(queue_t q, clk_event_t e) {}", "k", "-cl-std=CL2.0");
  const cl_command_queue queue = session.queue;
  CHECK_STATUS(clSetKernelArg(kernel, 0, sizeof queue, &queue), CL_INVALID_DEVICE_QUEUE);
  CHECK_STATUS(clSetKernelArg(kernel, 1, sizeof queue, &queue), CL_INVALID_ARG_VALUE);
  CHECK_STATUS(clSetKernelArg(kernel, 0, 4, &queue), CL_INVALID_ARG_SIZE);
}

TEST_CASE("clSetKernelArg: a counter is one under another name", "[argument_kind]") {
  if (!test::has_extension("cl_ext_atomic_counters_32")) return;
  const test::Session session;
  for (const char* standard :
       {"-cl-std=CL1.2 -cl-kernel-arg-info", "-cl-std=CLC++2021 -cl-kernel-arg-info"}) {
    const auto kernel = session.kernel(
        "typedef counter32_t tally; kernel void k(const tally c) { atomic_inc(c); }", "k", standard);
    const auto buffer = session.buffer(std::vector<int>{40}), tiny = session.buffer(2);
    CHECK_STATUS(test::set_argument(kernel, 0, tiny), CL_INVALID_ARG_VALUE);
    test::set_arguments(kernel, buffer);
    session.run(kernel, 2);
    CHECK(session.read<int>(buffer, 1)[0] == 42);
    char name[32] = {};
    CHECK_CL(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, nullptr));
    CHECK(std::string(name) == "counter32_t");
  }
}
