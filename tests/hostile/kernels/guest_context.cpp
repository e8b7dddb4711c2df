#include "hostile/kernels/guest_context.hpp"

#include "support/choice.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <unistd.h>

namespace test {

namespace {

using Clock = std::chrono::steady_clock;

/// No command takes longer, with whatever the machine does besides.
constexpr std::chrono::seconds watchdog(60);
constexpr cl_uint fill = 0x5a5a5a5a;
constexpr std::size_t buffer_bytes = 64 << 10, items = 1024, group = 32;

constexpr const char* honest_source = R"(
kernel void scale(global const uint* in, global uint* out) {
  out[get_global_id(0)] = in[get_global_id(0)] * 3 + (uint)get_group_id(0);
}
kernel void sums(global const uint* in, global uint* out) {
  local uint t[32];
  const size_t own = get_local_id(0);
  t[own] = in[get_global_id(0)];
  for (uint step = 16; step != 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own < step) t[own] += t[own + step];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[0] + own;
}
kernel void count(global const uint* in, global uint* out) {
  out[get_global_id(0)] = in[get_global_id(0)] % 16;
  barrier(CLK_GLOBAL_MEM_FENCE);
  atomic_inc((volatile global int*)out + get_group_id(0) * 32);
}
)";

cl_uint input(std::size_t i) {
  return static_cast<cl_uint>(i * 2654435761u);
}

/// What each of the honest kernels leaves in out[i].
cl_uint expected(std::size_t kernel, std::size_t i) {
  if (kernel == 0) return input(i) * 3 + static_cast<cl_uint>(i / group);
  if (kernel == 2) return input(i) % 16 + (i % group == 0 ? group : 0);
  cl_uint sum = static_cast<cl_uint>(i % group);
  for (std::size_t k = i / group * group; k < (i / group + 1) * group; ++k)
    sum += input(k);
  return sum;
}

template <class T>
void set(cl_kernel kernel, cl_uint index, const T& value) {
  const cl_int code = clSetKernelArg(kernel, index, sizeof value, &value);
  require(code == CL_SUCCESS,
          "clSetKernelArg of argument " + std::to_string(index) + ": " + std::to_string(code));
}

} // namespace

void require(bool condition, const std::string& what) {
  if (condition) return;
  std::fprintf(stderr, "failed: %s\n", what.c_str());
  _exit(1);
}

bool has_extension(cl_device_id device, const std::string& name) {
  std::string all(1 << 14, '\0');
  std::size_t bytes = 0;
  clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, all.size(), all.data(), &bytes);
  return all.find(name) != std::string::npos;
}

GuestContext::GuestContext(cl_device_id device) : device_(device) {
  const cl_context_properties stoppable[] = {CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
  cl_int code = CL_SUCCESS;
  context_ = clCreateContext(has_extension(device, "cl_khr_terminate_context") ? stoppable : nullptr, 1,
                             &device, tell, this, &code);
  require(context_, "clCreateContext: " + std::to_string(code));
  queue_ = clCreateCommandQueueWithProperties(context_, device, nullptr, nullptr);
  const cl_queue_properties on_device[] = {
      CL_QUEUE_PROPERTIES,
      CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  device_queue_ = clCreateCommandQueueWithProperties(context_, device, on_device, nullptr);
  bystander_ = make_buffer(buffer_bytes, fill);
  buffer_ = make_buffer(buffer_bytes, fill);
  honest_in_ = make_buffer(items * sizeof(cl_uint), 0);
  honest_out_ = make_buffer(items * sizeof(cl_uint), 0);
  make_extras();
  honest_program_ =
      clCreateProgramWithSource(context_, 1, const_cast<const char**>(&honest_source), nullptr, nullptr);
  require(clBuildProgram(honest_program_, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS,
          "the honest program");
  for (const char* name : {"scale", "sums", "count"}) {
    cl_kernel kernel = clCreateKernel(honest_program_, name, nullptr);
    set(kernel, 0, honest_in_);
    set(kernel, 1, honest_out_);
    honest_.push_back(kernel);
  }
}

cl_mem GuestContext::make_buffer(std::size_t bytes, cl_uint word) {
  std::vector<cl_uint> words(bytes / sizeof word, word);
  cl_int code = CL_SUCCESS;
  cl_mem buffer =
      clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, words.data(), &code);
  require(buffer, "clCreateBuffer: " + std::to_string(code));
  return buffer;
}

void GuestContext::make_extras() {
  const cl_image_format format{CL_RGBA, CL_FLOAT};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = description.image_height = 64;
  for (cl_mem& image : images_) {
    image = clCreateImage(context_, CL_MEM_READ_WRITE, &format, &description, nullptr, nullptr);
    require(image, "clCreateImage");
  }
  pipe_ = clCreatePipe(context_, 0, sizeof(cl_uint), 16, nullptr, nullptr);
  require(pipe_, "clCreatePipe");
  counter_ = make_buffer(sizeof(cl_uint), 0);
}

GuestContext::~GuestContext() {
  for (cl_kernel kernel : honest_)
    clReleaseKernel(kernel);
  clReleaseProgram(honest_program_);
  for (cl_mem memory :
       {buffer_, bystander_, honest_in_, honest_out_, pipe_, counter_, images_[0], images_[1], images_[2]})
    clReleaseMemObject(memory);
  clReleaseCommandQueue(device_queue_);
  clReleaseCommandQueue(queue_);
  clReleaseContext(context_);
}

cl_kernel GuestContext::build(const HostileKernel& kernel, std::string& log) {
  const char* text = kernel.source.c_str();
  cl_program program = clCreateProgramWithSource(context_, 1, &text, nullptr, nullptr);
  cl_kernel made = nullptr;
  if (clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr) == CL_SUCCESS) {
    made = clCreateKernel(program, kernel.name.c_str(), nullptr);
  } else {
    log.resize(1 << 14);
    clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    log.resize(log.find('\0'));
  }
  clReleaseProgram(program);
  return made;
}

std::vector<cl_event> GuestContext::enqueue(cl_kernel kernel, const Hostility& hostility, std::uint64_t a,
                                            std::uint64_t b) {
  set(kernel, 0, buffer_);
  set(kernel, 1, a);
  set(kernel, 2, b);
  set(kernel, 3, hostility.c);
  require(clSetKernelArg(kernel, 4, 1024, nullptr) == CL_SUCCESS, "clSetKernelArg of local memory");
  if (hostility.extra == Extra::pipe) set(kernel, 5, pipe_);
  if (hostility.extra == Extra::counter) set(kernel, 5, counter_);
  if (hostility.extra == Extra::images)
    for (cl_uint i = 0; i < 3; ++i)
      set(kernel, 5 + i, images_[i]);
  std::vector<cl_event> events(2);
  cl_int code = CL_SUCCESS;
  for (cl_mem buffer : {buffer_, bystander_})
    if (code == CL_SUCCESS)
      code = clEnqueueFillBuffer(queue_, buffer, &fill, sizeof fill, 0, buffer_bytes, 0, nullptr, nullptr);
  if (code == CL_SUCCESS)
    code = clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &hostility.global,
                                  hostility.local ? &hostility.local : nullptr, 0, nullptr, &events[0]);
  if (code != CL_SUCCESS) return {};
  require(clEnqueueMarkerWithWaitList(queue_, 1, &events[0], &events[1]) == CL_SUCCESS || is_terminated_,
          "clEnqueueMarkerWithWaitList");
  if (!events[1]) events.pop_back();
  clFlush(queue_);
  return events;
}

std::vector<cl_int> GuestContext::ended(std::vector<cl_event> events, const std::string& what) {
  std::vector<cl_int> states;
  for (cl_event event : events) {
    const auto end = Clock::now() + watchdog;
    cl_int state = CL_QUEUED;
    for (;;) {
      require(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, nullptr) ==
                  CL_SUCCESS,
              "clGetEventInfo");
      if (state <= CL_COMPLETE) break;
      require(Clock::now() < end, what + ": command " + std::to_string(states.size()) + " has not ended");
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    states.push_back(state);
    clReleaseEvent(event);
  }
  return states;
}

Launched GuestContext::launch(const HostileKernel& kernel, std::uint64_t a, std::uint64_t b,
                              const std::function<void()>& once_started) {
  Launched result;
  cl_kernel made = build(kernel, result.log);
  if (!made) return {.is_built = false, .log = result.log};
  const std::vector<cl_event> events = enqueue(made, kernel.hostility, a, b);
  require(events.size() == 2, "the commands of " + kernel.name);
  once_started();
  const std::vector<cl_int> states = ended(events, kernel.family + " " + std::to_string(kernel.number));
  result.status = states[0];
  result.waiter = states[1];
  clReleaseKernel(made);
  return result;
}

std::string GuestContext::honest_fault() {
  std::array<cl_uint, items> values;
  for (std::size_t i = 0; i < items; ++i)
    values[i] = input(i);
  clEnqueueWriteBuffer(queue_, honest_in_, CL_FALSE, 0, sizeof values, values.data(), 0, nullptr, nullptr);
  clFinish(queue_);
  for (std::size_t number = 0; number < honest_.size(); ++number) {
    cl_event event = nullptr;
    cl_int code =
        clEnqueueNDRangeKernel(queue_, honest_[number], 1, nullptr, &items, &group, 0, nullptr, &event);
    if (code != CL_SUCCESS) return "clEnqueueNDRangeKernel: " + std::to_string(code);
    clFlush(queue_);
    code = ended({event}, "an honest kernel").front();
    if (code != CL_COMPLETE)
      return "an honest kernel ended with " + std::to_string(code) + ": " + kernel_sentence();
    code = clEnqueueReadBuffer(queue_, honest_out_, CL_TRUE, 0, sizeof values, values.data(), 0, nullptr,
                               nullptr);
    if (code != CL_SUCCESS) return "clEnqueueReadBuffer: " + std::to_string(code);
    for (std::size_t i = 0; i < items; ++i)
      if (values[i] != expected(number, i))
        return "a wrong result of honest kernel " + std::to_string(number) + " at " + std::to_string(i);
  }
  return {};
}

std::string GuestContext::changed_object() {
  std::vector<cl_uint> words(buffer_bytes / sizeof(cl_uint));
  const cl_int code =
      clEnqueueReadBuffer(queue_, bystander_, CL_TRUE, 0, buffer_bytes, words.data(), 0, nullptr, nullptr);
  if (code != CL_SUCCESS) return "a buffer that cannot be read: " + std::to_string(code);
  const auto changed = std::ranges::find_if(words, [](cl_uint word) { return word != fill; });
  return changed == words.end() ? "" : "a buffer, at word " + std::to_string(changed - words.begin());
}

bool GuestContext::terminate() {
  if (!has_extension(device_, "cl_khr_terminate_context")) return false;
  static const auto function = reinterpret_cast<clTerminateContextKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(find_platform(), "clTerminateContextKHR"));
  require(function && function(context_) == CL_SUCCESS, "clTerminateContextKHR");
  return is_terminated_ = true;
}

void CL_CALLBACK GuestContext::tell(const char* sentence, const void*, size_t, void* self) {
  auto& context = *static_cast<GuestContext*>(self);
  const std::scoped_lock guard(context.mutex_);
  context.sentences_.emplace_back(sentence);
}

bool GuestContext::was_told(const std::vector<std::string>& parts) {
  const std::scoped_lock guard(mutex_);
  const bool was = std::ranges::any_of(sentences_, [&](const std::string& sentence) {
    return std::ranges::all_of(
        parts, [&](const std::string& part) { return sentence.find(part) != std::string::npos; });
  });
  sentences_.clear();
  return was;
}

std::string GuestContext::kernel_sentence() {
  const std::scoped_lock guard(mutex_);
  std::string found;
  for (const std::string& sentence : sentences_)
    if (sentence.starts_with("kernel '")) found = sentence;
  return found;
}

} // namespace test
