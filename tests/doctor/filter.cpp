// filter exec|threads COMMAND...: runs a command under a seccomp filter that refuses what machine code or threads need.

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <vector>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

constexpr unsigned number = offsetof(seccomp_data, nr);

/// The low word of an argument.
constexpr unsigned argument(unsigned index) {
  return offsetof(seccomp_data, args) + 8 * index;
}

/// Refuses a call if its argument has one of the bits.
std::vector<sock_filter> refuse(unsigned call, unsigned index, unsigned bits, unsigned error) {
  return {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, number),           BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument(index)),  BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
  };
}

void append(std::vector<sock_filter>& to, const std::vector<sock_filter>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  std::vector<sock_filter> filter;
  if (std::strcmp(argv[1], "exec") == 0) {
    append(filter, refuse(SYS_mprotect, 2, PROT_EXEC, EPERM));
  } else {
    append(filter, refuse(SYS_clone, 0, CLONE_THREAD, EPERM));
    // The C library takes clone() where there is no clone3(), whose flags a filter does not see.
    append(filter,
           {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, number), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS)});
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    std::puts("skipped: no seccomp filter can be set");
    return 77;
  }
  ::execv(argv[2], argv + 2);
  return 2;
}
