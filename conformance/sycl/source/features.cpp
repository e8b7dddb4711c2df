// What a DPC++ of today makes of SYCL source, one feature a kernel: each is compiled at run time, run, and compared with
// plain C++.
//   examples/sycl/run conformance/sycl/source/features.cpp [NAME...]

#include <sycl/sycl.hpp>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

namespace experimental = sycl::ext::oneapi::experimental;

constexpr int items = 256, group = 64;

struct Feature {
  const char *name, *declarations, *body; ///< of a kernel that sets out[i]; x is in[i]
  int (*expected)(int i, int x, const int* in);
  const char* option = "";
};

int first_of_group(int i) {
  return i / group * group;
}

const Feature vectors[] = {
    {"sum of a vector", "", "sycl::int4 v(x, i, 3, x + i); out[i] = v[0] + v[1] + v[2] + v[3];",
     [](int i, int x, const int*) { return 2 * (x + i) + 3; }},
    {"product of a vector", "", "sycl::uint4 v(x, i, 3, x + i); out[i] = v[0] * v[1] * v[2] * v[3];",
     [](int i, int x, const int*) { return int(unsigned(x) * unsigned(i) * 3u * unsigned(x + i)); }},
    {"bits of a vector", "",
     "sycl::int4 v(x, i, 3, x + i); out[i] = (v[0] ^ v[1] ^ v[2] ^ v[3]) + (v[0] | v[1] | v[2]);",
     [](int i, int x, const int*) { return (x ^ i ^ 3 ^ (x + i)) + (x | i | 3); }},
    {"swizzles", "",
     "sycl::int4 v(1, 2, 3, x); sycl::int2 w = v.swizzle<3, 0>(); out[i] = w.x() * 10 + w.y();",
     [](int, int x, const int*) { return x * 10 + 1; }},
    {"saturating conversion", "", "out[i] = sycl::int2(x, -x).convert<signed char>().x();",
     [](int, int x, const int*) { return int(static_cast<signed char>(x)); }},
    {"marray", "", "sycl::marray<int, 3> m{x, i, 7}; m *= 3; out[i] = m[0] + m[1] + m[2];",
     [](int i, int x, const int*) { return 3 * (x + i + 7); }},
    {"dot product", "", "sycl::float4 v(1, 2, 3, x); out[i] = int(sycl::dot(v, v));",
     [](int, int x, const int*) { return int(14.0F + float(x) * float(x)); }},
    {"selection by vectors", "",
     "sycl::int2 v(x, i); auto m = v > sycl::int2(i, x); out[i] = sycl::select(v, v * 2, m).x();",
     [](int i, int x, const int*) { return x > i ? 2 * x : x; }},
};

const Feature numbers[] = {
    {"fast division", "", "out[i] = int(1000.0f / (x + 1) * (x + 1) + 0.5f);",
     [](int, int, const int*) { return 1000; }, "-ffast-math"},
    {"fast square root", "", "out[i] = int(sycl::sqrt(float(x * x)) + 0.5f);",
     [](int, int x, const int*) { return x; }, "-ffast-math"},
    {"__int128", "", "unsigned __int128 w = x + 1; w = w * w * w * w * w * w * w; out[i] = int(w >> 20);",
     [](int, int x, const int*) {
       unsigned __int128 w = x + 1;
       w = w * w * w * w * w * w * w;
       return int(w >> 20);
     }},
    {"_BitInt", "", "_BitInt(77) w = x; w = (w << 66) >> 60; out[i] = int(w);",
     [](int, int x, const int*) { // the sign is the bit 10 of x
       const std::int64_t low = x & 0x7ff;
       return int((low & 0x400 ? low - 0x800 : low) * 64);
     }},
    {"half", "",
     "sycl::half h = i; h = h * sycl::half(3) + sycl::half(0.5f); out[i] = int(h * sycl::half(2));",
     [](int i, int, const int*) { return 6 * i + 1; }},
    {"bfloat16", "", "sycl::ext::oneapi::bfloat16 b = float(i); b = b * b; out[i] = int(float(b)) >> 8 << 8;",
     [](int i, int, const int*) {
       const auto round = [](float f) {
         std::uint32_t bits = 0;
         std::memcpy(&bits, &f, sizeof bits);
         bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000;
         std::memcpy(&f, &bits, sizeof bits);
         return f;
       };
       return int(round(round(float(i)) * round(float(i)))) >> 8 << 8;
     }},
    {"double", "", "double d = 1.0 / (x + 1); out[i] = int(d * 1e9);",
     [](int, int x, const int*) { return int(1.0 / (x + 1) * 1e9); }},
    {"fused multiplication", "", "out[i] = int(sycl::fma(double(x), 3.0, 0.5) * 2);",
     [](int, int x, const int*) { return 6 * x + 1; }},
    {"exponents", "",
     "int e; float f = sycl::frexp(float(x + 1), &e); out[i] = e * 100 + int(sycl::ldexp(f, 4));",
     [](int, int x, const int*) {
       int e = 0;
       const float f = std::frexp(float(x + 1), &e);
       return e * 100 + int(std::ldexp(f, 4));
     }},
    {"trigonometry", "",
     "out[i] = int(sycl::floor(sycl::sin(float(x)) * 1000 + 0.5f) + sycl::cospi(float(i)) * 5000);",
     [](int i, int x, const int*) {
       return int(std::floor(std::sin(float(x)) * 1000 + 0.5F)) + (i % 2 ? -5000 : 5000);
     }},
    {"bits of numbers", "", "out[i] = sycl::popcount(x) * 10000 + sycl::clz(x) * 100 + sycl::ctz(x | 4096);",
     [](int, int x, const int*) {
       return __builtin_popcount(unsigned(x)) * 10000 + (x ? __builtin_clz(unsigned(x)) : 32) * 100 +
              __builtin_ctz(unsigned(x | 4096));
     }},
    {"wide products", "", "out[i] = sycl::mul_hi(x << 18, i << 20) + sycl::rotate(x, 7) + sycl::hadd(x, i);",
     [](int i, int x, const int*) {
       return int(std::int64_t(int(unsigned(x) << 18)) * (i << 20) >> 32) +
              int(unsigned(x) << 7 | unsigned(x) >> 25) + (x + i) / 2;
     }},
    {"saturation", "", "out[i] = sycl::add_sat(x << 19, 1 << 30) + sycl::abs_diff(x, 2000);",
     [](int, int x, const int*) {
       const std::int64_t sum = std::int64_t(int(unsigned(x) << 19)) + (1 << 30);
       return int(std::clamp<std::int64_t>(sum, INT_MIN, INT_MAX)) + std::abs(x - 2000);
     }},
};

const Feature language[] = {
    {"virtual functions",
     "struct Base { SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::indirectly_callable)) virtual int f(int x) { "
     "return x; } };\n"
     "struct A : Base { SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::indirectly_callable)) int f(int x) override { "
     "return x + 10; } };\n"
     "struct B : Base { SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::indirectly_callable)) int f(int x) override { "
     "return x * 7; } };\n"
     "#define MORE SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::assume_indirect_calls))\n",
     "Base c; A a; B b; Base* p[] = {&a, &b, &c}; out[i] = p[x % 3]->f(x);",
     [](int, int x, const int*) { return x % 3 == 0   ? x + 10
                                         : x % 3 == 1 ? x * 7
                                                      : x; }},
    {"virtual functions that use members and ids",
     "struct Base { int k; Base(int k) : k(k) {}\n"
     "  SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::indirectly_callable)) virtual int f(int x) const { return x - "
     "k; } };\n"
     "struct A : Base { using Base::Base; SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::indirectly_callable)) int "
     "f(int x) const override {\n"
     "  return x + k + int(sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_linear_id()); } "
     "};\n"
     "#define MORE SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::assume_indirect_calls))\n",
     "Base c(5); A a(x); const Base* p = x % 5 ? &a : &c; out[i] = p->f(x) + p->f(i);",
     [](int i, int x, const int*) { return x % 5 ? 3 * x + 3 * i : x + i - 10; }},
    {"assertion that holds", "#include <cassert>\n", "assert(x >= 0); out[i] = x;",
     [](int, int x, const int*) { return x; }},
    {"prefetch", "", "ex::joint_prefetch(it.get_group(), in); out[i] = x;",
     [](int, int x, const int*) { return x; }},
    {"device_global", "ex::device_global<int[4]> dg;\n", "dg[i % 4] = 5; out[i] = dg[i % 4] + x;",
     [](int, int x, const int*) { return x + 5; }},
    {"assembly that does nothing", "",
     "int r = x;\n#ifdef __SYCL_DEVICE_ONLY__\nasm(\"nop\");\n#endif\nout[i] = r;",
     [](int, int x, const int*) { return x; }},
    {"structures by value",
     "struct S { int a[5]; long b; };\nint f(S s, int i) { s.a[i % 5] += 1; return s.a[i % 5] + int(s.b); "
     "}\n",
     "S s{{x, x + 1, x + 2, x + 3, x + 4}, i}; out[i] = f(s, i) + s.a[0];",
     [](int i, int x, const int*) { return x + i % 5 + 1 + i + x; }},
    {"arrays of the work-item", "",
     "int a[16]; for (int j = 0; j < 16; ++j) a[j] = (x + j) * j; out[i] = a[x & 15] + a[(x + i) & 15];",
     [](int i, int x, const int*) {
       return (x + (x & 15)) * (x & 15) + (x + ((x + i) & 15)) * ((x + i) & 15);
     }},
    {"tables", "constexpr int table[] = {3, 1, 4, 1, 5, 9, 2, 6};\n", "out[i] = table[x & 7];",
     [](int, int x, const int*) { return std::vector{3, 1, 4, 1, 5, 9, 2, 6}[x & 7]; }},
    {"switches", "",
     "switch (x % 5) { case 0: out[i] = 1; break; case 1: case 2: out[i] = x; break; default: out[i] = -x; }",
     [](int, int x, const int*) { return x % 5 == 0  ? 1
                                         : x % 5 < 3 ? x
                                                     : -x; }},
    {"loops with exits", "",
     "int s = 0; for (int j = 0; j < x; ++j) { if (j == 40) break; if (j % 3) continue; s += j; } out[i] = "
     "s;",
     [](int, int x, const int*) {
       int s = 0;
       for (int j = 0; j < std::min(x, 40); j += 3)
         s += j;
       return s;
     }},
    {"recursion by templates",
     "template <int N> int sum(int x) { if constexpr (N == 0) return 0; else return x + sum<N - 1>(x + 1); "
     "}\n",
     "out[i] = sum<9>(x);", [](int, int x, const int*) { return 9 * x + 36; }},
    {"lambdas and tuples", "#include <tuple>\n",
     "auto t = std::make_tuple(x, 2.5f, i); auto f = [&](int k) { return std::get<0>(t) + k + "
     "std::get<2>(t); }; out[i] = f(3);",
     [](int i, int x, const int*) { return x + i + 3; }},
    {"without optimisation", "", "int a[4] = {x, i, 1, 2}; int s = 0; for (int v : a) s += v; out[i] = s;",
     [](int i, int x, const int*) { return x + i + 3; }, "-O0"},
    {"debug information", "int f(int x) { int y = x + 1; return y * 2; }\n", "out[i] = f(x);",
     [](int, int x, const int*) { return 2 * x + 2; }, "-g"},
};

const Feature memory[] = {
    {"atomic integers", "",
     "sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> a(out[i]);\n"
     "a.store(x); int old = a.fetch_add(5); int older = a.exchange(7); out[i] = old + older * 3 + a.load();",
     [](int, int x, const int*) { return x + (x + 5) * 3 + 7; }},
    {"atomic floats", "",
     "sycl::atomic_ref<float, sycl::memory_order::acq_rel, sycl::memory_scope::device> "
     "a(*reinterpret_cast<float*>(out + i));\n"
     "a.store(1.5f); a.fetch_add(x); a.fetch_max(i); float f = a.load(); out[i] = int(f * 2);",
     [](int i, int x, const int*) { return std::max(2 * x + 3, 2 * i); }},
    {"compare and exchange", "",
     "out[i] = 1; sycl::atomic_ref<int, sycl::memory_order::seq_cst, sycl::memory_scope::device> a(out[i]);\n"
     "for (int j = 0; j < 5; ++j) { int old = a.load(); while (!a.compare_exchange_weak(old, old * 2 + x)); "
     "}",
     [](int, int x, const int*) { return 32 + 31 * x; }},
    {"loads of vectors", "",
     "auto p = sycl::address_space_cast<sycl::access::address_space::global_space, "
     "sycl::access::decorated::no>(in);\n"
     "sycl::int4 v; v.load(i / 4, p); out[i] = v[0] + v[1] + v[2] + v[3];",
     [](int i, int, const int* in) {
       const int* of = in + i / 4 * 4;
       return of[0] + of[1] + of[2] + of[3];
     }},
    {"bits as another type", "", "out[i] = sycl::bit_cast<int>(float(x)) >> 3;",
     [](int, int x, const int*) {
       const float f = float(x);
       int bits = 0;
       std::memcpy(&bits, &f, sizeof bits);
       return bits >> 3;
     }},
    {"unions and bit-fields", "union U { struct { unsigned a : 5, b : 11, c : 16; } f; unsigned w; };\n",
     "U u; u.w = x * 977; u.f.b += 3; out[i] = int(u.w) + int(u.f.a);",
     [](int, int x, const int*) {
       const unsigned w = unsigned(x) * 977, b = ((w >> 5 & 2047) + 3) & 2047;
       return int((w & ~(2047U << 5)) | b << 5) + int(w & 31);
     }},
};

const Feature library[] = {
    {"complex numbers", "#include <complex>\n",
     "std::complex<float> c(x, i); c *= c; out[i] = int(c.real()) + int(c.imag());",
     [](int i, int x, const int*) { return x * x - i * i + 2 * x * i; }},
    {"<cmath>", "#include <cmath>\n",
     "out[i] = int(std::floor(std::sqrt(float(x * x)) + 0.25f) + std::fmod(float(x), 7.0f) * 10000);",
     [](int, int x, const int*) { return x + x % 7 * 10000; }},
    {"<algorithm> and <array>", "#include <algorithm>\n#include <array>\n",
     "std::array<int, 5> a{x, i, 700, 3, x ^ i}; std::reverse(a.begin(), a.end()); std::swap(a[1], a[2]);\n"
     "out[i] = *std::max_element(a.begin(), a.end()) + a[0] + 3 * a[1] + std::clamp(x, 50, 900);",
     [](int i, int x, const int*) {
       return std::max({x, i, 700, x ^ i}) + (x ^ i) + 3 * 700 + std::clamp(x, 50, 900);
     }},
    {"classes of numbers", "",
     "float f = x % 3 == 0 ? sycl::nan(0u) : x % 3 == 1 ? 1.0f / (x - x) : x;\n"
     "out[i] = sycl::isnan(f) + 2 * sycl::isinf(f) + 4 * sycl::isfinite(f) + 8 * sycl::signbit(-f);",
     [](int, int x, const int*) { return x % 3 == 0   ? 9
                                         : x % 3 == 1 ? 10
                                                      : 12; }},
    {"geometry", "",
     "sycl::float3 a(3, x, 0), b(1, 0, 2); out[i] = int(sycl::cross(a, b).y() + sycl::length(sycl::float2(3, "
     "4)) * 100);",
     [](int, int, const int*) { return -6 + 500; }},
    {"rounding conversions", "",
     "sycl::float4 v(x / 16.0f, 300, -5, 2.5f); auto c = v.convert<unsigned char, "
     "sycl::rounding_mode::rte>();\n"
     "auto d = v.convert<int, sycl::rounding_mode::rtp>(); out[i] = c[3] * 1000 + d[0];",
     [](int, int x, const int*) { return 2000 + (x + 15) / 16; }},
    {"native functions", "",
     "out[i] = int(sycl::native::sqrt(float(x * x)) + 0.5f) + int(sycl::native::exp2(5.0f) + 0.5f);",
     [](int, int x, const int*) { return x + 32; }},
    {"products of 24 bits", "",
     "out[i] = sycl::mad24(x, i, 7) + sycl::upsample(short(i), (unsigned short)(x));",
     [](int i, int x, const int*) { return x * i + 7 + (i << 16 | x); }},
    {"long division", "", "long d = (long(x) << 40) / (i + 1) % 1000003; out[i] = int(d);",
     [](int i, int x, const int*) { return int((std::int64_t(x) << 40) / (i + 1) % 1000003); }},
};

const Feature groups[] = {
    {"reduction of a group", "", "out[i] = sycl::reduce_over_group(it.get_group(), x, sycl::plus<int>());",
     [](int i, int, const int* in) {
       int sum = 0;
       for (int j = 0; j < group; ++j)
         sum += in[first_of_group(i) + j];
       return sum;
     }},
    {"scan of a group", "",
     "out[i] = sycl::inclusive_scan_over_group(it.get_group(), x, sycl::maximum<int>());",
     [](int i, int, const int* in) { return *std::max_element(in + first_of_group(i), in + i + 1); }},
    {"broadcast", "", "out[i] = sycl::group_broadcast(it.get_group(), x, 5);",
     [](int i, int, const int* in) { return in[first_of_group(i) + 5]; }},
    {"votes", "",
     "out[i] = sycl::any_of_group(it.get_group(), x == 0) * 2 + sycl::all_of_group(it.get_group(), x >= 0);",
     [](int i, int, const int* in) {
       return 2 * int(std::find(in + first_of_group(i), in + first_of_group(i) + group, 0) !=
                      in + first_of_group(i) + group) +
              1;
     }},
    {"shuffle", "",
     "auto sg = it.get_sub_group(); int l = sg.get_local_linear_id();\n"
     "out[i] = sycl::select_from_group(sg, i, l ^ 1);",
     [](int i, int, const int*) { return i ^ 1; }},
    {"ids", "",
     "out[i] = int(it.get_group(0)) * 100000 + int(it.get_local_id(0)) * 100 + int(it.get_group_range(0));",
     [](int i, int, const int*) { return i / group * 100000 + i % group * 100 + items / group; }},
    {"exclusive scan", "",
     "out[i] = sycl::exclusive_scan_over_group(it.get_group(), x, 7, sycl::plus<int>());",
     [](int i, int, const int* in) {
       int sum = 7;
       for (int j = first_of_group(i); j < i; ++j)
         sum += in[j];
       return sum;
     }},
    {"reduction of a range", "",
     "out[i] = sycl::joint_reduce(it.get_group(), in, in + 100, sycl::minimum<int>());",
     [](int, int, const int* in) { return *std::min_element(in, in + 100); }},
    {"exchange within a sub-group", "",
     "auto sg = it.get_sub_group(); int l = sg.get_local_linear_id(), n = sg.get_local_linear_range();\n"
     "int next = sycl::shift_group_left(sg, i, 1); out[i] = sycl::permute_group_by_xor(sg, x, 2) + (l + 1 < "
     "n ? next : i + 1);",
     [](int i, int, const int* in) { return in[i ^ 2] + i + 1; }},
    {"sub-groups of a size", "#undef MORE\n#define MORE [[sycl::reqd_sub_group_size(16)]]\n",
     "out[i] = sycl::reduce_over_group(it.get_sub_group(), x, sycl::bit_xor<int>());",
     [](int i, int, const int* in) {
       int bits = 0;
       for (int j = i / 16 * 16; j < i / 16 * 16 + 16; ++j)
         bits ^= in[j];
       return bits;
     }},
    {"barriers", "",
     "out[i] = x; sycl::group_barrier(it.get_group()); int next = out[i ^ 33]; "
     "sycl::group_barrier(it.get_group()); out[i] = "
     "next;",
     [](int i, int, const int* in) { return in[i ^ 33]; }},
};

std::string source_of(const Feature& feature) {
  return std::string("#include <sycl/sycl.hpp>\nnamespace ex = sycl::ext::oneapi::experimental;\n") +
         feature.declarations +
         "#ifndef MORE\n#define MORE\n#endif\n"
         "extern \"C\" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::nd_range_kernel<1>)) MORE void k(int* out, "
         "const int* in) {\n"
         "  auto it = sycl::ext::oneapi::this_work_item::get_nd_item<1>();\n"
         "  int i = it.get_global_linear_id(), x = in[i];\n" +
         feature.body + "\n}\n";
}

/// An empty text, or what is wrong.
std::string failure_of(sycl::queue& queue, const Feature& feature) {
  auto bundle = experimental::create_kernel_bundle_from_source(
      queue.get_context(), experimental::source_language::sycl, source_of(feature));
  std::vector<std::string> options{"-fsycl-device-code-split=off"};
  if (*feature.option) options.emplace_back(feature.option);
  std::string log;
  try {
    auto built = experimental::build(
        bundle, experimental::properties{experimental::save_log{&log}, experimental::build_options{options}});
    const sycl::kernel kernel = built.ext_oneapi_get_kernel("k");
    int* out = sycl::malloc_shared<int>(items, queue);
    int* in = sycl::malloc_shared<int>(items, queue);
    for (int i = 0; i < items; ++i)
      in[i] = static_cast<int>((unsigned(i) * 2654435761U) >> 20);
    queue
        .submit([&](sycl::handler& handler) {
          handler.set_args(out, in);
          handler.parallel_for(sycl::nd_range<1>(items, group), kernel);
        })
        .wait_and_throw();
    std::string wrong;
    for (int i = 0; i < items && wrong.empty(); ++i)
      if (const int expected = feature.expected(i, in[i], in); out[i] != expected)
        wrong = "out[" + std::to_string(i) + "] is " + std::to_string(out[i]) + ", not " +
                std::to_string(expected);
    sycl::free(out, queue);
    sycl::free(in, queue);
    return wrong;
  } catch (const std::exception& exception) {
    return std::string(exception.what()) + log;
  }
}

} // namespace

int main(int count, char** names) {
  sycl::queue queue{sycl::cpu_selector_v};
  int run = 0, failed = 0;
  const auto run_all = [&](const auto& features) {
    for (const Feature& feature : features) {
      if (count > 1 && std::find(names + 1, names + count, std::string(feature.name)) == names + count)
        continue;
      const std::string failure = failure_of(queue, feature);
      std::printf("%s: %s\n", feature.name, failure.empty() ? "ok" : failure.c_str());
      std::fflush(stdout);
      ++run;
      failed += !failure.empty();
    }
  };
  run_all(vectors);
  run_all(numbers);
  run_all(language);
  run_all(memory);
  run_all(library);
  run_all(groups);
  std::printf("%d features, %d failures, on %s\n", run, failed,
              queue.get_device().get_platform().get_info<sycl::info::platform::name>().c_str());
  return failed != 0;
}
