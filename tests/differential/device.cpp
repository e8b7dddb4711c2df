#include "differential/device.hpp"

#include "differential/arguments.hpp"
#include "differential/il/spirv.hpp"
#include "differential/objects.hpp"
#include "differential/shared_memory.hpp"
#include "differential/worker.hpp"

#include <barrier>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <thread>

namespace differential {

namespace {

constexpr unsigned most_queues = 8;

std::string property(cl_program program, cl_device_id device, cl_program_build_info name) {
  std::size_t bytes = 0;
  clGetProgramBuildInfo(program, device, name, 0, nullptr, &bytes);
  std::string text(bytes, '\0');
  clGetProgramBuildInfo(program, device, name, bytes, text.data(), nullptr);
  return text;
}

} // namespace

void check(cl_int status, const std::string& what) {
  if (status != CL_SUCCESS) throw Failure(what + " failed with " + std::to_string(status));
}

/// A launch, and what it works on.
struct Device::Launch {
  const Range* range = nullptr;
  std::string name; ///< of the range, for messages
  std::vector<std::string> parameters;
  std::vector<BufferOwner> buffers; ///< null for parameters that are none
  std::unique_ptr<SharedArguments> shared;
  EventOwner done;
};

Device::Device(const std::string& name) {
  cl_uint count = 0;
  check(clGetPlatformIDs(0, nullptr, &count), "clGetPlatformIDs");
  std::vector<cl_platform_id> platforms(count);
  clGetPlatformIDs(count, platforms.data(), nullptr);
  for (cl_platform_id platform : platforms) {
    char text[256] = {};
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof text - 1, text, nullptr);
    if (!std::strstr(text, name.c_str())) continue;
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr), "clGetDeviceIDs");
    break;
  }
  if (!device_) throw Failure("no platform is called \"" + name + "\"");
  cl_int status = CL_SUCCESS;
  context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &status);
  check(status, "clCreateContext");
  for (unsigned i = 0; i < most_queues; ++i) {
    queues_.push_back(clCreateCommandQueueWithProperties(context_, device_, nullptr, &status));
    check(status, "clCreateCommandQueueWithProperties");
  }
  const cl_queue_properties for_children[] = {
      CL_QUEUE_PROPERTIES,
      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT, 0};
  has_device_queue_ = clCreateCommandQueueWithProperties(context_, device_, for_children, nullptr) != nullptr;
  std::size_t bytes = 0;
  clGetDeviceInfo(device_, CL_DEVICE_EXTENSIONS, 0, nullptr, &bytes);
  extensions_.resize(bytes);
  clGetDeviceInfo(device_, CL_DEVICE_EXTENSIONS, bytes, extensions_.data(), nullptr);
}

void Device::check_support(const std::string& source) const {
  auto mentions = [&](const char* word) { return source.find(word) != std::string::npos; };
  if (mentions("cl_khr_fp16") && !has("cl_khr_fp16")) throw Unsupported();
  if (mentions("enqueue_kernel") && !has_device_queue_) throw Unsupported();
  if (mentions("atom_") && !has("cl_khr_int64_base_atomics")) throw Unsupported();
  if (mentions("sub_group_rotate") && !has("cl_khr_subgroup_rotate")) throw Unsupported();
}

void Device::check_support(const Launches& launches) const {
  for (const Range& range : launches.ranges) {
    if (range.is_uniform()) continue;
    cl_bool non_uniform = CL_FALSE;
    clGetDeviceInfo(device_, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof non_uniform, &non_uniform,
                    nullptr);
    if (!non_uniform) throw Unsupported();
  }
}

ProgramOwner Device::create(const std::string& source) {
  const char* text = source.c_str();
  cl_int status = CL_SUCCESS;
  ProgramOwner program(clCreateProgramWithSource(context_, 1, &text, nullptr, &status));
  check(status, "clCreateProgramWithSource");
  return program;
}

ProgramOwner Device::create_from_il(const std::string& source, const std::string& options) {
  const std::string module = spirv_of(source, options);
  if (module.empty()) throw Unsupported();
  cl_int status = CL_SUCCESS;
  ProgramOwner program(clCreateProgramWithIL(context_, module.data(), module.size(), &status));
  check(status, "clCreateProgramWithIL");
  return program;
}

ProgramOwner Device::build(const std::string& source, const std::string& options) {
  check_support(source);
  const std::size_t renames = options.find(name_option);
  kernel_name_ = renames == std::string::npos ? "test" : options.substr(renames + name_option.size());
  const char* il_level = std::getenv(il_setting);
  ProgramOwner program = il_level ? create_from_il(source, il_level + (" " + options)) : create(source);
  std::string all = "-cl-std=CL3.0 -w " + (il_level ? "" : options);
  cl_device_fp_config config = 0;
  clGetDeviceInfo(device_, CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, nullptr);
  if (config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) all += " -cl-fp32-correctly-rounded-divide-sqrt";
  const cl_int status = clBuildProgram(program.get(), 1, &device_, all.c_str(), nullptr, nullptr);
  if (status == CL_SUCCESS) return program;
  throw Failure("does not build: " + property(program.get(), device_, CL_PROGRAM_BUILD_LOG));
}

Device::Launch Device::prepare(const std::vector<std::string>& parameters, const Range& range,
                               std::string name) {
  Launch launch{&range, std::move(name), parameters, {}, {}, {}};
  for (const std::string& parameter : parameters) {
    BufferOwner& buffer = launch.buffers.emplace_back();
    if (PlainArguments::has(parameter)) continue;
    if (shared_argument(parameter)) {
      if (!launch.shared) launch.shared = std::make_unique<SharedArguments>(context_, device_, range);
      continue;
    }
    buffer = make_object(context_, plan_of(parameter, range), parameter);
  }
  return launch;
}

void Device::set_arguments(const Launch& launch, cl_kernel kernel) {
  const PlainArguments plain(*launch.range);
  for (cl_uint i = 0; i < launch.parameters.size(); ++i) {
    const std::string& parameter = launch.parameters[i];
    if (const std::optional<unsigned> shared = shared_argument(parameter)) {
      launch.shared->set(kernel, i, *shared);
      continue;
    }
    cl_mem buffer = launch.buffers[i].get();
    const PlainArgument value =
        PlainArguments::has(parameter) ? plain.of(parameter) : PlainArgument{sizeof buffer, &buffer};
    check(clSetKernelArg(kernel, i, value.bytes, value.value),
          launch.name + ": clSetKernelArg of " + parameter);
  }
}

void Device::enqueue(Launch& launch, cl_command_queue queue, cl_kernel kernel) {
  set_arguments(launch, kernel);
  cl_event event = nullptr;
  const Range& range = *launch.range;
  check(clEnqueueNDRangeKernel(queue, kernel, range.dimensions, range.offset.data(), range.global.data(),
                               range.has_local ? range.local.data() : nullptr, 0, nullptr, &event),
        launch.name + ": clEnqueueNDRangeKernel");
  launch.done.reset(event);
}

Results Device::read(Launch& launch, cl_program program) {
  cl_event event = launch.done.get();
  const cl_int waited = clWaitForEvents(1, &event);
  cl_int status = CL_COMPLETE;
  check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
        launch.name + ": clGetEventInfo");
  check(status, launch.name + ": the launch");
  check(waited, launch.name + ": clWaitForEvents");
  Results results;
  for (std::size_t i = 0; i < launch.parameters.size(); ++i) {
    if (const std::optional<unsigned> shared = shared_argument(launch.parameters[i]))
      results[launch.parameters[i]] = launch.shared->bytes(queues_[0], *shared);
    if (!launch.buffers[i]) continue;
    const BufferPlan plan = plan_of(launch.parameters[i], *launch.range);
    if (!plan.is_result) continue;
    results[launch.parameters[i]] =
        bytes_of(queues_[0], program, launch.buffers[i].get(), plan, launch.parameters[i]);
  }
  normalise(results);
  return results;
}

namespace {

KernelOwner kernel_of(cl_program program, const std::string& name) {
  cl_int status = CL_SUCCESS;
  KernelOwner kernel(clCreateKernel(program, name.c_str(), &status));
  check(status, "clCreateKernel");
  return kernel;
}

/// The sub-group size of a kernel's launches over the range, as bytes; zeros where the driver does not say. It follows
/// from the machine code, which need not be that of another program.
std::vector<unsigned char> sub_group_size(cl_kernel kernel, cl_device_id device, const Range& range) {
  std::vector<unsigned char> size(sizeof(std::size_t));
  if (range.has_local)
    clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                            range.dimensions * sizeof(std::size_t), range.local.data(), size.size(),
                            size.data(), nullptr);
  return size;
}

} // namespace

/// Each thread has a kernel object of its own, and all of the threads the same queues. No launch waits for
/// another.
void Device::launch_at_once(cl_program program, std::vector<Launch>& all, const Launches& launches) {
  const unsigned queues = std::min(launches.queues, most_queues), threads = std::max(launches.threads, 1u);
  std::barrier start(threads);
  std::vector<std::exception_ptr> errors(threads);
  auto run = [&](unsigned number) {
    try {
      start.arrive_and_wait();
      const KernelOwner kernel = kernel_of(program, kernel_name_);
      for (std::size_t i = number; i < all.size(); i += threads)
        enqueue(all[i], queues_[i % queues], kernel.get());
    } catch (...) {
      errors[number] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned number = 1; number < threads; ++number)
      others.emplace_back(run, number);
    run(0);
  }
  for (unsigned i = 0; i < queues; ++i)
    clFlush(queues_[i]);
  for (unsigned i = 0; i < queues; ++i)
    clFinish(queues_[i]);
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

void Device::fill_pipes(Launch& launch, cl_program program) {
  for (std::size_t p = 0; p < launch.parameters.size(); ++p)
    if (launch.parameters[p] == "source")
      fill_pipe(queues_[0], program, launch.buffers[p].get(), launch.parameters[p], launch.range->items());
}

namespace {

std::string name_of_range(std::size_t index) {
  return "range " + std::to_string(index + 1);
}

} // namespace

std::vector<Results> Device::run_at_once(cl_program program, const std::vector<std::string>& parameters,
                                         const Launches& launches) {
  std::vector<Launch> all;
  for (std::size_t i = 0; i < launches.ranges.size(); ++i)
    for (unsigned copy = 0; copy < 2; ++copy)
      all.push_back(prepare(parameters, launches.ranges[i], name_of_range(i)));
  for (Launch& launch : all)
    fill_pipes(launch, program);
  launch_at_once(program, all, launches);
  std::vector<Results> results;
  for (Launch& launch : all)
    results.push_back(read(launch, program));
  return results;
}

std::vector<Results> Device::run(cl_program program, const std::string& source, const Launches& launches,
                                 unsigned times) {
  check_support(launches);
  const std::vector<std::string> parameters = parameters_of(source);
  const KernelOwner kernel = kernel_of(program, kernel_name_);
  const bool asks_size = emulates_sub_groups(source) && !requires_sub_groups(source);
  std::vector<Results> results;
  if (launches.queues > 0) results = run_at_once(program, parameters, launches);
  for (std::size_t i = 0; i < launches.ranges.size() && launches.queues == 0; ++i)
    for (unsigned time = 0; time < times; ++time) {
      Launch launch = prepare(parameters, launches.ranges[i], name_of_range(i));
      fill_pipes(launch, program);
      enqueue(launch, queues_[0], kernel.get());
      results.push_back(read(launch, program));
    }
  // Asked last: an answer may need machine code that the launch did not have.
  const std::size_t copies = results.size() / launches.ranges.size();
  for (std::size_t i = 0; i < results.size() && asks_size; ++i)
    results[i][sub_group_size_name] = sub_group_size(kernel.get(), device_, launches.ranges[i / copies]);
  return results;
}

} // namespace differential
