// What the device says of the machine and of the process's limits.
// usage: test_device_limits: with a filter of system calls that refuses sysinfo(), and a clock that has ticks
//        test_device_limits print: prints compute units, bytes of memory, and bytes of the largest buffer

#include "support/choice.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>

namespace {

constexpr long tick_ns = 4'000'000;

bool refuse_sysinfo() {
  sock_filter filter[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                          BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sysinfo, 0, 1),
                          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
                          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog program{4, filter};
  struct sysinfo unused;
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 && sysinfo(&unused) != 0;
}

template <class T>
T value(cl_device_id device, cl_device_info name) {
  T answer{};
  clGetDeviceInfo(device, name, sizeof answer, &answer, nullptr);
  return answer;
}

bool check(bool good, const char* what) {
  if (!good) std::fprintf(stderr, "failed: %s\n", what);
  return good;
}

} // namespace

/// What the driver calls instead of the C library's.
extern "C" int clock_getres(clockid_t, timespec* resolution) noexcept {
  *resolution = {0, tick_ns};
  return 0;
}

int main(int count, char**) {
  constexpr int skipped = 77;
  if (count > 1) {
    cl_device_id device = test::chosen_device();
    std::printf("%u %llu %llu\n", value<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS),
                static_cast<unsigned long long>(value<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE)),
                static_cast<unsigned long long>(value<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE)));
    return 0;
  }
  struct sysinfo machine{};
  if (sysinfo(&machine) != 0 || !refuse_sysinfo()) return skipped;
  cl_device_id device = test::chosen_device();
  const auto all = value<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE);
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4000, nullptr, nullptr);
  bool good = check(buffer != nullptr, "a buffer can be made");
  good &= check(all <= std::uint64_t{machine.totalram} * machine.mem_unit, "it has at most the machine's");
  good &= check(all >= std::uint64_t{64} << 20, "the device has memory");
  good &= check(value<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE) == all / 2,
                "half of it is the largest buffer");
  good &= check(value<size_t>(device, CL_DEVICE_PROFILING_TIMER_RESOLUTION) == tick_ns,
                "the timer's resolution is the clock's");
  clReleaseMemObject(buffer);
  clReleaseContext(context);
  return good ? 0 : 1;
}
