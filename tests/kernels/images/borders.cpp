// Buffers that lie between pages that may not be touched: no vector form reads or writes beyond what the work-items
// themselves do. A form that does ends the process.

#include "support/session.hpp"

#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

namespace {

/// Bytes at the end or at the start of pages, with pages around them that cannot be read.
class Fenced {
public:
  Fenced(const std::vector<cl_uchar>& values, bool at_end) {
    const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE)),
                 inner = (values.size() + page - 1) / page * page;
    bytes_ = inner + 2 * page;
    all_ = mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(all_ != MAP_FAILED);
    auto* begin = static_cast<cl_uchar*>(all_) + page;
    REQUIRE(mprotect(begin, inner, PROT_READ | PROT_WRITE) == 0);
    address_ = at_end ? begin + inner - values.size() : begin;
    std::memcpy(address_, values.data(), values.size());
  }
  Fenced(const Fenced&) = delete;
  Fenced& operator=(const Fenced&) = delete;
  ~Fenced() { munmap(all_, bytes_); }
  cl_uchar* address() const { return address_; }

private:
  void* all_;
  size_t bytes_;
  cl_uchar* address_;
};

struct Form {
  const char* name;
  const char* type; ///< of what `in` and `out` point to
  const char* body; ///< of `i`, and `n`, the number of work-items
  size_t bytes;     ///< of an element
  size_t count(size_t n) const { return factor * n - less; }
  size_t factor = 1, less = 0; ///< `in` and `out` have factor * n - less elements
};

constexpr Form forms[] = {
    {"row of bytes", "uchar", "out[i] = in[i] + 1;", 1},
    {"row of shorts", "short", "out[i] = in[i] + 1;", 2},
    {"row of longs, reversed", "long", "out[n - 1 - i] = in[i];", 8},
    {"every second", "int", "out[2 * i] = in[2 * i] + 1;", 4, 2, 1},
    {"every second double", "double", "out[2 * i] = in[2 * i];", 8, 2, 1},
    {"every third short", "short", "out[3 * i] = in[3 * i] + 1;", 2, 3, 2},
    {"every fourth byte", "uchar", "out[4 * i] = in[4 * i] + 1;", 1, 4, 3},
    {"every second, from the second on", "int", "out[2 * i + 1] = in[2 * i + 1] + 1;", 4, 2},
    {"butterfly", "int", "int d = n > 1000 ? 8 : 4, j = (i ^ d) < n ? i ^ d : i; out[j] = in[j] + 1;", 4},
    {"butterfly of longs", "long", "int j = (i ^ 1) < n ? i ^ 1 : i; out[j] = in[j] + 1;", 8},
    {"pairs", "int",
     "int d = 4, l = 2 * i - (i & (d - 1)); if (l + d < 2 * n) { out[l] = in[l + d];"
     " out[l + d] = in[l]; }",
     4, 2},
    {"clamped", "float", "out[i] = in[min(i + 7, n - 1)] + in[max(i - 9, 0)];", 4},
    {"table of bytes", "uchar", "out[i] = in[(in[i] * 7 + i) % n];", 1},
    {"table of shorts", "ushort", "out[i] = in[(in[i] * 7 + i) % n];", 2},
    {"scattered bytes", "uchar", "out[(i * 5 + (in[0] & 0)) % n] = in[i];", 1},
    {"three bytes", "uchar", "vstore3(vload3(i, in) + (uchar3)1, i, out);", 1, 3},
    {"three floats", "float", "vstore3(vload3(i, in), n - 1 - i, out);", 4, 3},
    {"four shorts that are not aligned", "short", "vstore4(vload4(i, in), i, out);", 2, 4},
    {"two longs, scattered", "long2", "out[(i * 5 + (int)(in[0].x & 0)) % n] = in[i];", 16},
    {"half", "half", "vstore_half(vload_half(i, in) + 1.0f, i, out);", 2},
    {"under a condition", "int", "if (in[i] & 1) out[i / 2] = in[i / 2 + n / 3];", 4},
    {"never", "int", "if (i >= n) out[4096 * i] = in[-4096 * i]; if (n < 0) out[n] = in[n];", 4},
    {"one for all", "int", "out[i] = in[n - 1] + in[0];", 4},
    {"rows of each work-item", "int",
     "int s = 0; for (int k = 0; k < 5; ++k) s += in[5 * i + k]; out[5 * i] = s;", 4, 5},
    {"words that are counted", "int", "atomic_add(&out[i], in[i]);", 4},
    {"words that are exchanged", "int", "in[i] & 1 ? atomic_xchg(&out[i], i) : 0;", 4},
    {"appended", "int", "if (in[i] & 1) out[atomic_inc(&out[0]) % (uint)n] = 1;", 4},
};

std::vector<cl_uchar> run(const test::Session& session, const Form& form, size_t items, bool at_end) {
  std::vector<cl_uchar> values(form.count(items) * form.bytes);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<cl_uchar>(i * 37 >> 3);
  const std::string source = "kernel void k(global " + std::string(form.type) + "* in, global " + form.type +
                             "* out) { int i = get_global_id(0), n = get_global_size(0); " + form.body + " }";
  const auto kernel = session.kernel(source.c_str(), "k");
  const Fenced in(values, at_end), out(std::vector<cl_uchar>(values.size()), at_end);
  auto from = session.buffer(values.size(), CL_MEM_USE_HOST_PTR, in.address());
  auto to = session.buffer(values.size(), CL_MEM_USE_HOST_PTR, out.address());
  test::set_arguments(kernel, from, to);
  session.run(kernel, items, items);
  return session.read<cl_uchar>(to, values.size());
}

} // namespace

TEST_CASE("No form of a load or store reaches beyond a buffer", "[borders]") {
  const test::Session session;
  for (const Form& form : forms)
    for (size_t items : {61, 64}) {
      CAPTURE(form.name, items);
      CHECK(run(session, form, items, false) == run(session, form, items, true));
    }
}
