// Cases in which the driver works, not the kernel: start-up, builds, launches.

#include "bench/device.hpp"
#include "bench/unseen_programs.hpp"

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>

namespace bench {
namespace {

/// Runs this program with an option that prints the time from the first clGetPlatformIDs until the option's work is
/// done. The result is the median of 11 fresh processes.
Measurement probe(const std::string& option) {
  const std::string command = "'" + std::filesystem::read_symlink("/proc/self/exe").string() + "' " + option;
  std::vector<double> seconds;
  for (int round = 0; round < 11; ++round) {
    // NOLINTNEXTLINE(bugprone-command-processor): the command is the path of this very program.
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    char nanoseconds[32] = "";
    check(pipe && std::fgets(nanoseconds, sizeof nanoseconds, pipe.get()),
          "the start of a process of its own");
    seconds.push_back(std::stod(nanoseconds) * 1e-9);
  }
  std::nth_element(seconds.begin(), seconds.begin() + 5, seconds.end());
  return {seconds[5], 1, int(seconds.size())};
}

Measurement startup(const Device&) {
  return probe("--probe-startup");
}
Measurement first_kernel(const Device&) {
  return probe("--probe-first-kernel");
}
Measurement build_small(const Device& device) {
  constexpr cl_uint items = 64;
  const cl::Buffer out = device.empty_buffer<cl_uint>(items);
  return median(1, [&] {
    const std::string number = std::to_string(unseen_number());
    cl::Kernel kernel(device.build_source("kernel void small(global uint* out) {\n"
                                          "  uint i = get_global_id(0);\n"
                                          "  out[i] = i * " +
                                          number + "u + 1;\n}\n"),
                      "small");
    kernel.setArg(0, out);
    device.launch(kernel, cl::NDRange(items));
    check(device.read<cl_uint>(out, items)[3] == 3 * cl_uint(std::stoul(number)) + 1, "the small kernel");
  });
}

void step_in_cpp(std::vector<cl_uint>& data, std::uint32_t factor) {
  cl_uint sum = 0;
  for (const cl_uint value : data)
    sum += value * factor;
  for (std::size_t i = 0; i < data.size(); ++i)
    data[i] = sum + cl_uint(i);
}

/// Builds an unseen program of 40 kernels, and runs the first `run_count` kernels one after the other. All of these
/// kernel objects are created before the first launch, so that several threads can compile the kernels.
Measurement build_many(const Device& device, int run_count) {
  constexpr std::size_t items = 64;
  return median(1, [&] {
    const std::uint32_t number = unseen_number();
    const cl::Program program = device.build_source(source_of_many_kernels(number));
    std::vector<cl_uint> expected(items, 1);
    const cl::Buffer data = device.buffer(expected);
    std::vector<cl::Kernel> kernels;
    for (int i = 0; i < run_count; ++i)
      kernels.emplace_back(program, ("step" + std::to_string(i)).c_str());
    for (int i = 0; i < run_count; ++i) {
      cl::Kernel& kernel = kernels[i];
      kernel.setArg(0, data);
      kernel.setArg(1, cl::Local(items * sizeof(cl_uint)));
      device.launch(kernel, cl::NDRange(items), cl::NDRange(items));
      step_in_cpp(expected, number + 2u * unsigned(i));
    }
    check(device.read<cl_uint>(data, items) == expected, "the kernels with barriers");
  });
}

Measurement build_40_run_1(const Device& device) {
  return build_many(device, 1);
}
Measurement build_40_run_40(const Device& device) {
  return build_many(device, kernel_count);
}

/// Launches of one work-item that adds 1, with clFinish after every `batch` of them.
Measurement launches(const Device& device, int count, int batch) {
  const cl::Buffer value = device.empty_buffer<cl_uint>(1);
  const auto kernel = device.kernel("launch.cl", "increment", "", value);
  const auto work = [&] {
    for (int i = 1; i <= count; ++i) {
      device.launch(kernel, cl::NDRange(1));
      if (i % batch == 0) device.queue().finish();
    }
  };
  const Measurement measured = median(count, work);
  check(device.read<cl_uint>(value, 1)[0] == cl_uint(count * (measured.rounds + 1)),
        "the number of launches");
  return measured;
}

Measurement launch_finish(const Device& device) {
  return launches(device, 1000, 1);
}
Measurement launch_batched(const Device& device) {
  return launches(device, 10000, 10000);
}

/// Kernels of one work-item that adds 1, which a kernel enqueues.
Measurement child_launches(const Device& device, const char* name) {
  constexpr cl_uint count = 10000;
  const auto queue = device.make_device_queue();
  const cl::Buffer value = device.empty_buffer<cl_uint>(1);
  const auto kernel = device.kernel("enqueue.cl", name, "-cl-std=CL3.0", value, count);
  const auto work = [&] {
    device.launch(kernel, cl::NDRange(1));
    device.queue().finish();
  };
  const Measurement measured = median(count, work);
  check(device.read<cl_uint>(value, 1)[0] == count * cl_uint(measured.rounds + 1), "the number of children");
  return measured;
}

Measurement child_fan(const Device& device) {
  return child_launches(device, "fan_out");
}
Measurement child_chain(const Device& device) {
  return child_launches(device, "chain");
}

/// Functions of cl_khr_command_buffer as revision 1.0.0 has them; older headers have other signatures.
using CommandBuffer = struct _cl_command_buffer_khr*;
struct CommandBufferFunctions {
  CommandBuffer(CL_API_CALL* create)(cl_uint, const cl_command_queue*, const cl_properties*, cl_int*);
  cl_int(CL_API_CALL* launch)(CommandBuffer, cl_command_queue, const cl_properties*, cl_kernel, cl_uint,
                              const std::size_t*, const std::size_t*, const std::size_t*, cl_uint,
                              const cl_uint*, cl_uint*, struct _cl_mutable_command_khr**);
  cl_int(CL_API_CALL* finalize)(CommandBuffer);
  cl_int(CL_API_CALL* enqueue)(cl_uint, cl_command_queue*, CommandBuffer, cl_uint, const cl_event*,
                               cl_event*);
  cl_int(CL_API_CALL* release)(CommandBuffer);

  explicit CommandBufferFunctions(const Device& device) {
    const auto id = device.queue().getInfo<CL_QUEUE_DEVICE>();
    // A cl_platform_id in older headers, a Platform in newer ones.
    const cl::Platform platform(id.getInfo<CL_DEVICE_PLATFORM>());
    const auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
          clGetExtensionFunctionAddressForPlatform(platform(), name));
    };
    find(create, "clCreateCommandBufferKHR");
    find(launch, "clCommandNDRangeKernelKHR");
    find(finalize, "clFinalizeCommandBufferKHR");
    find(enqueue, "clEnqueueCommandBufferKHR");
    find(release, "clReleaseCommandBufferKHR");
    // CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR came after the signatures.
    constexpr cl_device_info newest_query = 0x129A;
    if (!create || clGetDeviceInfo(id(), newest_query, 0, nullptr, nullptr) != CL_SUCCESS)
      throw Unsupported("no cl_khr_command_buffer 1.0.0, or 0.9.8, which has the same functions");
  }
};

/// The launches of launch_batched, recorded once.
Measurement launch_replayed(const Device& device) {
  constexpr int count = 10000;
  const CommandBufferFunctions functions(device);
  const cl::Buffer value = device.empty_buffer<cl_uint>(1);
  const auto kernel = device.kernel("launch.cl", "increment", "", value);
  const cl_command_queue queue = device.queue()();
  const CommandBuffer buffer = functions.create(1, &queue, nullptr, nullptr);
  const std::size_t one = 1;
  for (int i = 0; i < count; ++i)
    check(functions.launch(buffer, nullptr, nullptr, kernel(), 1, nullptr, &one, nullptr, 0, nullptr, nullptr,
                           nullptr) == CL_SUCCESS,
          "a recorded launch");
  check(functions.finalize(buffer) == CL_SUCCESS, "the command buffer");
  const Measurement measured = median(count, [&] {
    functions.enqueue(0, nullptr, buffer, 0, nullptr, nullptr);
    device.queue().finish();
  });
  functions.release(buffer);
  check(device.read<cl_uint>(value, 1)[0] == cl_uint(count * (measured.rounds + 1)),
        "the number of launches");
  return measured;
}

Measurement groups_of_one(const Device& device) {
  constexpr std::size_t items = 1 << 23;
  const cl::Buffer out = device.empty_buffer<cl_uint>(items);
  const auto kernel = device.kernel("launch.cl", "store_id", "", out);
  const Measurement measured = device.time(double(items), kernel, cl::NDRange(items), cl::NDRange(1));
  const auto result = device.read<cl_uint>(out, items);
  for (cl_uint i = 0; i < items; ++i)
    check(result[i] == i, "the number of a work-item");
  return measured;
}

constexpr Unit milliseconds{"ms", 1e3, Better::lower};
constexpr Unit microseconds{"µs", 1e6, Better::lower};
constexpr Case cases[] = {
    {"startup", "first clGetPlatformIDs and devices", milliseconds, startup},
    {"first_kernel", "first clGetPlatformIDs, build and run an unseen small kernel", milliseconds,
     first_kernel},
    {"build_small", "build and run an unseen small kernel", milliseconds, build_small},
    {"build_40_run_1", "build an unseen program of 40 barrier kernels, run one", milliseconds,
     build_40_run_1},
    {"build_40_run_40", "build an unseen program of 40 barrier kernels, run all", milliseconds,
     build_40_run_40},
    {"launch_finish", "one-item kernel and clFinish", microseconds, launch_finish},
    {"launch_batched", "launch, batched", microseconds, launch_batched},
    {"enqueue_kernel", "one-item kernels that a kernel enqueues", microseconds, child_fan},
    {"enqueue_chain", "one-item kernels, each enqueued by the one before", microseconds, child_chain},
    {"launch_replayed", "launch, replayed from a command buffer", microseconds, launch_replayed},
    {"groups_of_one", "work-groups of size 1", {"M/s", 1e6}, groups_of_one},
};

} // namespace

std::span<const Case> host_cases() {
  return cases;
}

} // namespace bench
