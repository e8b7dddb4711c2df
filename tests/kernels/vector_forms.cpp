// Every form that the vectoriser gives to accesses and arithmetic, compared with the kernel run one
// work-item at a time.

#include "support/session.hpp"

#include <random>

namespace {

struct Form {
  const char* name;
  const char* body; ///< reads `in` (int), `bytes` (uchar), `n`; writes out[0 .. 8 * items)
};

constexpr size_t items = 1024;

constexpr Form forms[] = {
    {"clamped index", "out[i] = in[clamp(i - 5, 3, n - 7)] + in[max(i - n / 2, 0)];"},
    {"clamped from both ends, reversed", "out[i] = in[n - 1 - min(i, n - 9)];"},
    {"masked index",
     "int d = 1 << (n & 7); int l = 2 * i - (i & (d - 1)); out[l] = in[l + d]; out[l + d] = in[l];"},
    {"row and column of a linear index",
     "int w = 37 + (n & 3), x = i % w, y = i / w; out[i] = in[y * w + x] + in[min(x + 1, w - 1)] + in[y];"},
    {"chosen index", "int k = in[i] & 1 ? i : 0; out[i] = in[k] + in[i < 40 ? i : i + 3];"},
    {"index that wraps", "uint k = (uint)i - 9u; out[i] = in[min(k, (uint)n)];"},
    {"counter that starts where a lane stands",
     "int s = 0; for (int k = min(i, n - 8); k < min(i, n - 8) + 5; ++k) s += in[k]; out[i] = s;"},
    {"stores at a clamped index", "if (i < n - 3) out[min(i, n - 5)] = in[i];"},
    {"stores under a condition", "int k = i & (n - 1); if (in[i] & 3) out[k] = in[k] + i;"},
    {"every second", "out[2 * i] = in[2 * i]; out[2 * i + 1] = in[2 * i + 1] - i;"},
    {"every third", "if (in[i] & 1) { out[3 * i] = in[3 * i + 2]; out[3 * i + 2] = in[3 * i]; }"},
    {"every fourth byte",
     "global uchar* o = (global uchar*)out; if (i % 7) o[4 * i + 1] = bytes[4 * i] + bytes[4 * i + 3];"},
    {"every third short",
     "global short* o = (global short*)out; global const short* s = (global const short*)bytes;"
     "o[3 * i + 1] = s[3 * i] * s[2 * i + 1];"},
    {"every second double", "global double* o = (global double*)out; o[2 * i] = in[i] * 0.5;"},
    {"table of bytes", "uchar k = in[i]; out[i] = bytes[k] + bytes[(bytes[k] + i) & 1023];"},
    {"table of shorts",
     "global const ushort* t = (global const ushort*)bytes; if (in[i] & 2) out[i] = t[in[i] & 511];"},
    {"table in local memory",
     "local uchar t[256]; int l = get_local_id(0); for (int k = l; k < 256; k += get_local_size(0))"
     " t[k] = bytes[k] ^ 5; barrier(CLK_LOCAL_MEM_FENCE); out[i] = t[in[i] & 255];"},
    {"pixels at a clamped place",
     "global const uchar4* p = (global const uchar4*)bytes; int4 s = 0; for (int k = -2; k <= 2; ++k)"
     " s += convert_int4(p[clamp(i + k, 0, n - 1)]); ((global uchar4*)out)[i] = convert_uchar4(s >> 3);"},
};

std::string source_of(const Form& form, unsigned width) {
  return "kernel __attribute__((intel_reqd_sub_group_size(" + std::to_string(width) +
         "))) void k(global const int* in, global const uchar* bytes, global int* out, int n) {\n"
         "  int i = get_global_id(0);\n" +
         std::string(form.body) + "\n}\n";
}

std::vector<cl_int> run(const test::Session& session, const Form& form, unsigned width, size_t local) {
  std::mt19937 random(7);
  std::vector<cl_int> in(4 * items), out(8 * items, -1);
  for (cl_int& value : in)
    value = static_cast<cl_int>(random() >> 8);
  const auto input = session.buffer(in), result = session.buffer(out);
  const auto kernel = session.kernel(source_of(form, width).c_str(), "k", "-cl-std=CL3.0");
  test::set_arguments(kernel, input, input, result, static_cast<cl_int>(items));
  session.run(kernel, items, local);
  return session.read<cl_int>(result, out.size());
}

} // namespace

TEST_CASE("Vector forms: results are those of single work-items", "[vector_forms]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  for (const Form& form : forms) {
    const auto expected = run(session, form, 1, 64);
    for (unsigned width : {4u, 8u, 16u})
      for (size_t local : {size_t{64}, size_t{52}}) {
        CAPTURE(form.name, width, local);
        CHECK((run(session, form, width, local) == expected));
      }
  }
}

TEST_CASE("Vector forms: large outputs are whole, wherever they start", "[vector_forms]") {
  const test::Session session;
  constexpr size_t count = (8 << 20) + 5; // more than stays in caches, and not a multiple of any width
  const auto kernel = session.kernel(
      "kernel void k(global uint* out, uint first) { size_t i = get_global_id(0); out[first + i] = i * 3; }",
      "k", "-cl-std=CL3.0");
  const auto buffer = session.buffer(4 * (count + 64));
  for (cl_uint first : {0u, 1u, 16u, 21u}) {
    test::set_arguments(kernel, buffer, first);
    session.run(kernel, count, 64);
    const auto values = session.read<cl_uint>(buffer, count, first);
    size_t wrong = 0;
    for (size_t i = 0; i < count; ++i)
      wrong += values[i] != i * 3;
    CAPTURE(first);
    CHECK(wrong == 0);
  }
}
