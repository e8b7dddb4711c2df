// Runs the litmus tests between work-groups, and between host and kernel through fine-grained SVM.
// A forbidden outcome is a failure; how often outcomes showed that roles overlapped is printed, for a test
// whose roles never overlap shows little.

#include "conformance/litmus/kernel.hpp"
#include "conformance/support/device.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

using namespace conformance;

namespace {

constexpr int instances = 4096, slice = 64;

/// Fine-grained SVM of a context.
class Shared {
public:
  Shared(const Device& device, size_t count) : context_(device.context) {
    data_ = static_cast<int*>(
        clSVMAlloc(context_, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS,
                   count * sizeof(int), 64));
    if (!data_) stop("clSVMAlloc failed: the device has no fine-grained SVM with atomics");
    bytes_ = count * sizeof(int);
  }
  Shared(const Shared&) = delete;
  ~Shared() { clSVMFree(context_, data_); }
  int* get() const { return data_; }
  int& operator[](size_t index) const { return data_[index]; }
  void clear() const { std::memset(data_, 0, bytes_); }

private:
  cl_context context_;
  int* data_;
  size_t bytes_;
};

std::memory_order host_order(Order order) {
  static constexpr std::memory_order orders[] = {std::memory_order_relaxed, std::memory_order_acquire,
                                                 std::memory_order_release, std::memory_order_acq_rel,
                                                 std::memory_order_seq_cst};
  return orders[static_cast<int>(order)];
}

void do_on_host(const Step& step, int& place, int& reg) {
  const std::memory_order order = host_order(step.order);
  const std::atomic_ref<int> object(place);
  switch (step.kind) {
  case Step::store:
    object.store(step.value, order);
    break;
  case Step::load:
    reg = object.load(order);
    break;
  case Step::add:
    reg = object.fetch_add(1, order);
    break;
  case Step::plain_store:
    place = step.value;
    break;
  case Step::plain_load:
    reg = place;
    break;
  case Step::fence:
    std::atomic_thread_fence(order);
    break;
  }
}

struct Counts {
  long runs = 0, forbidden = 0, interleaved = 0;
};

class Stage {
public:
  explicit Stage(const Device& device)
      : device_(device),
        locations_(device, size_t(max_locations) * instances * stride),
        registers_(device, size_t(max_registers) * instances),
        go_(device, 16) {}

  /// @param host_role the role that the host plays, or -1
  Counts run(const Litmus& test, const Kernel& kernel, int host_role, std::chrono::milliseconds time) {
    Counts counts;
    const auto end = std::chrono::steady_clock::now() + time;
    do {
      locations_.clear();
      registers_.clear();
      go_.clear();
      enqueue(test, kernel, host_role);
      if (host_role >= 0) play(test.roles[host_role]);
      require(clFinish(device_.queue), "clFinish");
      count(test, counts);
    } while (std::chrono::steady_clock::now() < end);
    return counts;
  }

private:
  void enqueue(const Litmus& test, const Kernel& kernel, int host_role) {
    const int n = instances, s = slice;
    for (cl_uint i = 0; i < max_locations; ++i)
      clSetKernelArgSVMPointer(kernel.kernel, i, locations_.get() + size_t(i) * instances * stride);
    clSetKernelArgSVMPointer(kernel.kernel, 3, registers_.get());
    clSetKernelArgSVMPointer(kernel.kernel, 4, go_.get());
    clSetKernelArg(kernel.kernel, 5, sizeof n, &n);
    clSetKernelArg(kernel.kernel, 6, sizeof s, &s);
    clSetKernelArg(kernel.kernel, 7, sizeof host_role, &host_role);
    const size_t roles = test.roles.size() - (host_role >= 0), global = roles * (instances / slice),
                 local = 1;
    require(clEnqueueNDRangeKernel(device_.queue, kernel.kernel, 1, nullptr, &global, &local, 0, nullptr,
                                   nullptr),
            "clEnqueueNDRangeKernel");
    require(clFlush(device_.queue), "clFlush");
  }

  /// The host's part, once the kernel runs (or after a while, should it not run before clFinish).
  void play(const std::vector<Step>& steps) {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
    const std::atomic_ref<int> go(go_[0]);
    while (!go.load(std::memory_order_acquire) && std::chrono::steady_clock::now() < give_up) {
    }
    for (int i = 0; i < instances; ++i)
      for (const Step& step : steps)
        do_on_host(step, locations_[(size_t(step.location) * instances + i) * stride],
                   registers_[size_t(step.value % max_registers) * instances + i]);
  }

  void count(const Litmus& test, Counts& counts) const {
    for (int i = 0; i < instances; ++i) {
      Outcome outcome;
      for (int r = 0; r < max_registers; ++r)
        outcome.registers[r] = registers_[size_t(r) * instances + i];
      for (int l = 0; l < max_locations; ++l)
        outcome.locations[l] = locations_[(size_t(l) * instances + i) * stride];
      counts.forbidden += test.forbidden(outcome);
      counts.interleaved += test.interleaved(outcome);
    }
    counts.runs += instances;
  }

  const Device& device_;
  Shared locations_, registers_, go_;
};

/// The number that an argument is, at least 1; an argument that is none ends the program.
int positive(std::string_view argument) {
  int number = 0;
  auto [end, error] = std::from_chars(argument.data(), argument.data() + argument.size(), number);
  if (error != std::errc() || end != argument.data() + argument.size())
    stop(std::string(argument) + " is not a number");
  return std::max(1, number);
}

} // namespace

int main(int count, char** arguments) {
  std::string platform, filter;
  int milliseconds = 60;
  for (int i = 1; i < count; ++i) {
    const std::string name = arguments[i];
    if (i + 1 < count && name == "--platform")
      platform = arguments[++i];
    else if (i + 1 < count && name == "--filter")
      filter = arguments[++i];
    else if (i + 1 < count && name == "--milliseconds")
      milliseconds = positive(arguments[++i]);
    else
      stop("atomics_litmus [--platform NAME] [--filter TEXT] [--milliseconds N (of each test, default 60)]");
  }

  const Device device(platform);
  Stage stage(device);
  bool good = true;
  std::printf("Litmus tests on %s\n\n| test | between | runs | forbidden | roles overlapped |\n"
              "|---|---|---:|---:|---:|\n",
              device.text(CL_DEVICE_NAME).c_str());
  for (const Litmus& test : all_litmus_tests()) {
    if (test.name.find(filter) == std::string::npos) continue;
    const Kernel kernel(device, source_of(test), "-cl-std=CL3.0");
    if (kernel.status != CL_SUCCESS) {
      std::printf("| %s | | does not build | | |\n", test.name.c_str());
      std::fprintf(stderr, "%s\n%s\n", kernel.log.c_str(), source_of(test).c_str());
      good = false;
      continue;
    }
    for (int host_role = -1; host_role < int(test.roles.size()); ++host_role) {
      const Counts counts = stage.run(test, kernel, host_role, std::chrono::milliseconds(milliseconds));
      const std::string between =
          host_role < 0 ? "groups" : "host as " + std::to_string(host_role + 1) + ", groups";
      std::printf("| %s | %s | %ld | %ld | %ld |\n", test.name.c_str(), between.c_str(), counts.runs,
                  counts.forbidden, counts.interleaved);
      good = good && counts.forbidden == 0;
    }
  }
  std::printf("\n%s\n", good ? "No forbidden outcome." : "FAILED");
  return good ? 0 : 1;
}
