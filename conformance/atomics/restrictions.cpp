#include "conformance/atomics/restrictions.hpp"

#include <chrono>
#include <regex>

namespace conformance {
namespace {

/// The body of a kernel with the arguments (global atomic_int* g, global int* v); of plain int* g for OpenCL
/// C 1.2, which has no atomic types. It stands on line 3 of the source; a body that is forbidden must be
/// refused there.
struct Restriction {
  const char* name;
  const char* body;
  bool allowed;
  const char* standard = "CL3.0";
};

constexpr Restriction restrictions[] = {
    // Operators on atomic types.
    {"operator ++ on an atomic object", "(*g)++;", false},
    {"operator -- on an atomic object", "--(*g);", false},
    {"operator + on an atomic object", "v[0] = *g + 1;", false},
    {"operator += on an atomic object", "*g += 1;", false},
    {"operator |= on an atomic object", "*g |= 1;", false},
    {"assignment to an atomic object", "*g = 1;", false},
    {"assignment from an atomic object", "v[0] = *g;", false},
    {"comparison of atomic objects", "if (*g == 1) v[0] = 1;", false},
    {"condition on an atomic object", "if (*g) v[0] = 1;", false},
    {"array element of atomic type in an expression", "v[0] = g[1] * 2;", false},
    {"functions on atomic objects", "atomic_store(g, 1); v[0] = atomic_load(g);", true},
    {"pointers to atomic objects may be moved", "atomic_store(g + 1, 1); atomic_store(&g[2], 1);", true},

    // _Atomic and types that do not exist.
    {"_Atomic as a specifier", "local _Atomic(int) x; (void)x;", false},
    {"_Atomic as a qualifier", "local _Atomic int x; (void)x;", false},
    {"atomic_bool", "local atomic_bool x; (void)x;", false},
    {"atomic_char", "local atomic_char x; (void)x;", false},
    {"atomic_uchar", "local atomic_uchar x; (void)x;", false},
    {"atomic_short", "local atomic_short x; (void)x;", false},
    {"atomic_ushort", "local atomic_ushort x; (void)x;", false},
    {"atomic_intmax_t", "local atomic_intmax_t x; (void)x;", false},
    {"atomic_uintmax_t", "local atomic_uintmax_t x; (void)x;", false},

    // Orders that a function does not take.
    {"load with release", "v[0] = atomic_load_explicit(g, memory_order_release);", false},
    {"load with acq_rel", "v[0] = atomic_load_explicit(g, memory_order_acq_rel);", false},
    {"load with release and scope",
     "v[0] = atomic_load_explicit(g, memory_order_release, memory_scope_device);", false},
    {"load with acquire", "v[0] = atomic_load_explicit(g, memory_order_acquire);", true},
    {"store with acquire", "atomic_store_explicit(g, 1, memory_order_acquire);", false},
    {"store with acq_rel", "atomic_store_explicit(g, 1, memory_order_acq_rel);", false},
    {"store with acquire and scope",
     "atomic_store_explicit(g, 1, memory_order_acquire, memory_scope_work_group);", false},
    {"store with release", "atomic_store_explicit(g, 1, memory_order_release);", true},
    {"flag clear with acquire", "local atomic_flag f; atomic_flag_clear_explicit(&f, memory_order_acquire);",
     false},
    {"flag clear with acq_rel", "local atomic_flag f; atomic_flag_clear_explicit(&f, memory_order_acq_rel);",
     false},
    {"compare-exchange that fails with release",
     "int e = 0; v[0] = atomic_compare_exchange_strong_explicit(g, &e, 1, memory_order_seq_cst, "
     "memory_order_release);",
     false},
    {"compare-exchange that fails with acq_rel",
     "int e = 0; v[0] = atomic_compare_exchange_weak_explicit(g, &e, 1, memory_order_seq_cst, "
     "memory_order_acq_rel);",
     false},
    {"compare-exchange that fails stronger than it succeeds",
     "int e = 0; v[0] = atomic_compare_exchange_strong_explicit(g, &e, 1, memory_order_relaxed, "
     "memory_order_acquire);",
     false},
    {"compare-exchange that fails with seq_cst and succeeds with acq_rel",
     "int e = 0; v[0] = atomic_compare_exchange_strong_explicit(g, &e, 1, memory_order_acq_rel, "
     "memory_order_seq_cst, memory_scope_device);",
     false},
    {"compare-exchange that fails with acquire and succeeds with acq_rel",
     "int e = 0; v[0] = atomic_compare_exchange_strong_explicit(g, &e, 1, memory_order_acq_rel, "
     "memory_order_acquire);",
     true},

    // Atomic objects of a work-item.
    {"fetch_add on a private object", "atomic_int x; atomic_init(&x, 0); v[0] = atomic_fetch_add(&x, 1);",
     false},
    {"store to a private object", "atomic_int x; atomic_store(&x, 1); v[0] = 0;", false},
    {"load of a private object", "atomic_int x; v[0] = atomic_load(&x);", false},
    {"exchange through a private pointer",
     "atomic_int x; private atomic_int* p = &x; v[0] = atomic_exchange(p, 1);", false},
    {"compare-exchange on a private object",
     "atomic_int x; int e = 0; v[0] = atomic_compare_exchange_strong(&x, &e, 1);", false},
    {"flag in private memory", "atomic_flag f; v[0] = atomic_flag_test_and_set(&f);", false},
    {"element of a private array", "atomic_int x[2]; v[0] = atomic_fetch_add(x, 1);", false},
    {"a local object", "local atomic_int x; atomic_store(&x, 1); v[0] = atomic_load(&x);", true},

    // A flag is set and cleared.
    {"fetch_add on a flag", "local atomic_flag f; v[0] = atomic_fetch_add(&f, 1);", false},
    {"fetch_or with an order on a flag",
     "local atomic_flag f; v[0] = atomic_fetch_or_explicit(&f, 1, memory_order_relaxed);", false},
    {"load of a flag", "local atomic_flag f; v[0] = atomic_load(&f);", false},
    {"store to a flag", "local atomic_flag f; atomic_store(&f, 1);", false},
    {"exchange of a flag", "local atomic_flag f; v[0] = atomic_exchange(&f, 1);", false},
    {"compare-exchange of a flag",
     "local atomic_flag f; int e = 0; v[0] = atomic_compare_exchange_strong(&f, &e, 1);", false},
    {"fetch_add on an array of flags", "local atomic_flag f[2]; v[0] = atomic_fetch_add(f, 1);", false},
    {"fetch_add on a flag of another name",
     "typedef atomic_flag flag; local flag f; v[0] = atomic_fetch_add(&f, 1);", false},
    {"test_and_set and clear of a flag",
     "local atomic_flag f[2]; atomic_flag_clear(f); v[0] = atomic_flag_test_and_set(&f[1]);", true},

    // Language versions without them.
    {"atomic_int in OpenCL C 1.2", "global atomic_int* a = 0;", false, "CL1.2"},
    {"atomic_load in OpenCL C 1.2", "v[0] = atomic_load(g);", false, "CL1.2"},
    {"atomic_fetch_add_explicit in OpenCL C 1.2", "v[0] = atomic_fetch_add_explicit(g, 1, 0);", false,
     "CL1.2"},
    {"memory_order_relaxed in OpenCL C 1.2", "v[0] = memory_order_relaxed;", false, "CL1.2"},
    {"atomic_add in OpenCL C 1.2", "v[0] = atomic_add(g, 1);", true, "CL1.2"},
};

/// Whether a log has a message for line 3 that names a column.
bool names_place(const std::string& log) {
  return std::regex_search(log, std::regex(":3:[1-9][0-9]*:"));
}

} // namespace

void run_restrictions(const Device& device, const std::string& filter, Report& report) {
  for (const Restriction& restriction : restrictions) {
    const std::string name =
        std::string(restriction.allowed ? "allowed: " : "forbidden: ") + restriction.name;
    if (name.find(filter) == std::string::npos) continue;
    const std::string standard = restriction.standard, type = standard == "CL1.2" ? "int" : "atomic_int";
    const std::string source = "// a kernel\nkernel void k(global " + type + "* g, global int* v) {\n  " +
                               restriction.body + "\n}\n";
    const auto start = std::chrono::steady_clock::now();
    const Kernel kernel(device, source, "-cl-std=" + standard);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    const bool built = kernel.status == CL_SUCCESS;
    std::string wrong;
    if (built != restriction.allowed)
      wrong = built ? "compiles" : "does not compile\n" + kernel.log;
    else if (!built && kernel.status != CL_BUILD_PROGRAM_FAILURE)
      wrong = "status " + std::to_string(kernel.status);
    else if (!built && !names_place(kernel.log))
      wrong = "the log names no column of line 3\n" + kernel.log;
    if (wrong.empty())
      report.pass("restrictions", standard, name, time.count());
    else
      report.fail("restrictions", standard, name, wrong, time.count());
  }
}

} // namespace conformance
