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
    {"division of int", "int d = in[i + 1] % 50; out[i] = in[i] / (d ? d : 7) + in[i] % (in[i + 2] | 1);"},
    {"division of the least int",
     "int d = in[i] & 1 ? -1 : 3; out[i] = (in[i] & 4 ? INT_MIN + 1 : -in[i]) / d;"},
    {"division of uint",
     "uint a = in[i] * 521u, d = (uint)in[i + 1] >> (in[i] & 15) | 1; out[i] = a / d - a % d;"},
    {"division by what is nearly as large",
     "uint d = (uint)in[i] * 251u | 0x80000000u; out[i] = (d - (i & 1)) / d + 0xffffffffu / d;"},
    {"division of char", "char a = in[i], d = in[i + 1] | 1; out[i] = a / d + a % d;"},
    {"division of ushort", "ushort a = in[i], d = in[i + 1] | 1; out[i] = a / d + a % d;"},
    {"division of size_t", "size_t g = get_global_id(0), d = n - 1000; out[i] = g / d + 7 * (g % d);"},
    {"division of long", "long a = (long)in[i] * in[i + 1] - in[i + 2]; out[i] = a / (in[i + 3] | 1);"},
    {"division of vectors",
     "int4 a = ((global const int4*)in)[i & 255], d = (a >> 9) | 1; ((global int4*)out)[i] = a / d - a % d;"},
    {"division under a condition", "if (in[i] & 1) out[i] = in[i] / ((in[i] & 1) * 5);"},
    {"table of bytes", "uchar k = in[i]; out[i] = bytes[k] + bytes[(bytes[k] + i) & 1023];"},
    {"table of shorts",
     "global const ushort* t = (global const ushort*)bytes; if (in[i] & 2) out[i] = t[in[i] & 511];"},
    {"table in local memory",
     "local uchar t[256]; int l = get_local_id(0); for (int k = l; k < 256; k += get_local_size(0))"
     " t[k] = bytes[k] ^ 5; barrier(CLK_LOCAL_MEM_FENCE); out[i] = t[in[i] & 255];"},
    {"partners in a butterfly",
     "for (int k = 0; k < 8; ++k) out[k * n + (i ^ (1 << k))] = in[i ^ (1 << k)] - k;"},
    {"partners under a condition",
     "for (int k = 0; k < 8; ++k) if (in[i] & 3) out[k * n + (i ^ k)] = in[(i ^ 5 * k) + k];"},
    {"partners of unaligned items", "for (uint k = 0; k < 8; ++k) out[k * n + i] = in[(i + 3 ^ 1u << k) + k] "
                                    "+ in[(i ^ 2 * k) + n - k * 3];"},
    {"pairs of a network",
     "for (int k = 0; k < 4; ++k) { int d = 1 << k, l = 2 * i - (i & (d - 1)), r = l + d;"
     " int a = in[l], b = in[r]; if (a > b) { out[2 * n * k + l] = b; out[2 * n * k + r] = a; } }"},
    {"pairs of a network, far apart",
     "for (uint k = 0; k < 4; ++k) { uint d = 8u << k, l = 2 * i - (i & (d - 1)), r = l + d;"
     " out[2 * n * k + l] = in[r]; out[2 * n * k + r] = in[l]; }"},
    {"bits set and cleared by all alike",
     "for (int k = 0; k < 8; ++k) out[k * n + i] = in[i | k * 3] - in[(i & ~k) + (i >> k)];"},
    {"partners of long",
     "global long* o = (global long*)out; global const long* l = (global const long*)in;"
     "for (long k = 0; k < 4; ++k) o[k * n + (i ^ k * 3)] = l[i ^ k] + l[2 * i - (i & (1 << k) - 1)];"},
    {"partners in local memory", // groups of all sizes consist of fours
     "local float t[64]; int l = get_local_id(0); t[l] = in[i];"
     "for (int d = 1; d < 4; d *= 2) { barrier(CLK_LOCAL_MEM_FENCE); float x = t[l ^ d];"
     " barrier(CLK_LOCAL_MEM_FENCE); t[l ^ 4 - d] += x; } barrier(CLK_LOCAL_MEM_FENCE); out[i] = t[l];"},
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

/// Checks every `step`-th of the widths and sizes, counted over all forms.
void check_fallback_levels(size_t step) {
  if (!test::is_hostcl()) return;
  const test::Session session;
  size_t number = 0;
  for (const Form& form : forms) {
    const auto expected = run(session, form, 1, 64);
    for (unsigned width : {4u, 8u, 16u})
      for (size_t local : {size_t{64}, size_t{52}}) {
        if (number++ % step != 0) continue;
        CAPTURE(form.name, width, local);
        CHECK((run(session, form, width, local) == expected));
      }
  }
}

} // namespace

TEST_CASE("Vector forms: results are those of single work-items", "[vector_forms][one_form]") {
  check_fallback_levels(1);
}

TEST_CASE("Vector forms: results of some widths and sizes are those of single work-items",
          "[.short_vector_forms]") {
  check_fallback_levels(5);
}

TEST_CASE("Vector forms: groups of one item along x", "[vector_forms]") {
  const test::Session session;
  constexpr size_t height = 96, width = 5;
  const auto kernel = session.kernel(R"(
    kernel void k(global uint* out, local uint* scratch) {
      size_t x = get_global_id(0), y = get_global_id(1), l = get_local_linear_id(), n = get_local_size(1);
      scratch[l] = get_group_id(1) * 1000 + get_group_id(0) * 100 + get_local_id(1) + get_local_id(0);
      barrier(CLK_LOCAL_MEM_FENCE);
      out[y * get_global_size(0) + x] = scratch[(l + 1) % n] + 100000 * (uint)get_num_groups(1);
    })",
                                     "k", "-cl-std=CL3.0");
  const auto buffer = session.buffer(4 * width * height);
  for (size_t local : {1, 3, 16, 24, 96}) {
    test::set_arguments(kernel, buffer, test::Local{local * 4});
    session.run(kernel, test::Range(width, height), test::Range(1, local));
    const auto values = session.read<cl_uint>(buffer, width * height);
    size_t wrong = 0;
    for (size_t y = 0; y < height; ++y)
      for (size_t x = 0; x < width; ++x)
        wrong += values[y * width + x] !=
                 y / local * 1000 + x * 100 + (y % local + 1) % local + 100000 * (height / local);
    CAPTURE(local);
    CHECK(wrong == 0);
  }
}

TEST_CASE("Vector forms: large outputs are whole, wherever they start", "[vector_forms]") {
  const test::Session session;
  constexpr size_t count = (8 << 20) + 5; // more than stays in caches, and not a multiple of any width
  const auto kernel =
      session.kernel("kernel void k(global uint* out, uint first, uint n) { uint i = get_global_id(0); "
                     "out[first + get_group_id(0) * n + get_local_id(0)] = i * 3; }",
                     "k", "-cl-std=CL3.0");
  const auto buffer = session.buffer(4 * (count + 64));
  for (cl_uint first : {0u, 1u, 16u, 21u}) {
    test::set_arguments(kernel, buffer, first, cl_uint{64});
    session.run(kernel, count, 64);
    const auto values = session.read<cl_uint>(buffer, count, first);
    size_t wrong = 0;
    for (size_t i = 0; i < count; ++i)
      wrong += values[i] != i * 3;
    CAPTURE(first);
    CHECK(wrong == 0);
  }
}
