// Families of hostile kernels (kernel.hpp) that trap, take all memory, or pass wrong values to the driver and to
// built-in functions.

#include "hostile/kernels/kernel.hpp"

namespace test {

namespace {

/// The text, with `address` instead of each @.
std::string with_address(std::string text, const std::string& address) {
  for (std::size_t at = 0; (at = text.find('@', at)) != std::string::npos; at += address.size())
    text.replace(at, 1, address);
  return text;
}

Hostility trap(Random& random) {
  return {.body = random.pick({"__builtin_trap();", "if (id == 7) __builtin_trap();",
                               "for (int i = 0;; ++i) if (i == 1000 + (int)id) __builtin_trap();",
                               "o[id] = 1; if (o[1] != c) __builtin_trap();"}),
          .ending = Ending::failure,
          .c = ~std::uint64_t{0}};
}

/// Divisions that are undefined in C. The driver promises only that the application survives.
Hostility division(Random& random) {
  return {.body = random.pick({"o[id] = 100 / (int)c;", "o[id] = (int)(c + 0x80000000u) / ((int)c - 1);",
                               "o[id] = 7 % (uint)c;", "o[id] = ((int4)(1, 2, 3, 4) / (int4)((int)c)).s2;",
                               "((global ulong*)o)[id] = (ulong)-9 / c;",
                               "((global long*)o)[id] = ((long)c + LONG_MIN) % ((long)c - 1);",
                               "((global short*)o)[id] = (short)-32768 / (short)((int)c - 1);",
                               "if (c == 0) __builtin_unreachable(); o[id] = 1;"})};
}

/// Private memory of up to gigabytes for each work-item.
Hostility large_private(Random& random) {
  const std::string size = random.power(12, 27);
  return {.body = "volatile uint t[" + size + "]; for (ulong i = 0; i < " + size + "; i += 1021) t[i] = i; " +
                  (random.one_in(2) ? "barrier(CLK_LOCAL_MEM_FENCE); " : "") + "o[id] = t[b % " + size + "];",
          .local = random.one_in(2) ? std::size_t{64} : 0};
}

Hostility deep_calls(Random& random) {
  std::string functions = "__attribute__((noinline)) uint f0(volatile private uint* t) { return t[1]; }\n";
  const unsigned depth = 1 + static_cast<unsigned>(random.below(12));
  for (unsigned i = 1; i <= depth; ++i)
    functions +=
        "__attribute__((noinline)) uint f" + std::to_string(i) +
        "(volatile private uint* t) { volatile uint x[1 << 18]; x[0] = t[0]; x[(1 << 18) - 1] = 3; return f" +
        std::to_string(i - 1) + "(x) + x[0]; }\n";
  return {.body = "volatile uint t[4] = {1, 2, 3, 4}; o[id] = f" + std::to_string(depth) + "(t);",
          .declarations = functions};
}

Hostility print(Random& random) {
  const std::string address = random.pick({"a", "b", "c", "(ulong)o", "(ulong)o + (1ul << 40)", "8"});
  return {.body = random.pick({"if (id == 0) ", ""}) + "printf(\"" +
                  random.pick({"%s", "%.100s", "%s %d", "%10s|%s"}) + "\\n\", (constant char*)(" + address +
                  "), (constant char*)(" + random.pick({"a", "c", "0"}) + "));"};
}

/// Prints a text without a null character at its end, up to the end of the shared memory.
Hostility unterminated_print(Random& random) {
  return {.body = "if (id == 0) { global uchar* last = (global uchar*)(((ulong)o & ~((1ul << 30) - 1)) + "
                  "(1ul << 30) - " +
                  random.power(3, 16) +
                  "); for (global uchar* p = last; ((ulong)p & ((1ul << 30) - 1)) != 0; ++p) "
                  "*p = 'A'; printf(\"%s\", (constant char*)(ulong)last); }",
          .danger = Danger::memory};
}

constexpr const char* with_local_memory =
    "enqueue_kernel(q, 0, ndrange_1D(1), ^(local void* x, local void* y) { "
    "((local uint*)x)[b] = 1; }, (uint)b, (uint)a);";

/// Passes wrong addresses and counts to the functions that enqueue kernels.
Hostility enqueue(Random& random) {
  const std::string address = random.pick({"a", "c", "b", "(ulong)o + (1ul << 40)", "(ulong)o"});
  return {
      .body = with_address(
          "queue_t q = get_default_queue(); const size_t sizes[3] = {b, b, b}; if (id < 2) o[1] = " +
              random.pick(
                  {"enqueue_kernel(q, 0, ndrange_1D(1), 0, 0, (clk_event_t*)@, ^{ o[2] = 1; });",
                   "enqueue_kernel(q, 0, ndrange_1D(1), 2, (const clk_event_t*)@, 0, ^{ o[2] = 1; });",
                   "enqueue_kernel(q, 0, ndrange_1D(1), (uint)b, (const clk_event_t*)@, 0, ^{ o[2] = 1; });",
                   "enqueue_kernel(q, 0, ndrange_1D(b, c), ^{ o[id] = 1; });",
                   "enqueue_kernel(q, (int)b, ndrange_2D(sizes), ^{ o[id] = 1; });",
                   "enqueue_marker(q, (uint)b, (const clk_event_t*)@, 0);",
                   "enqueue_marker(q, 1, (const clk_event_t*)o, (clk_event_t*)@);", with_local_memory,
                   "get_kernel_work_group_size(^{ o[b] = a; });"}),
          "(" + address + ")"),
      .danger = Danger::memory};
}

/// Passes numbers that are no events, and events that have ended, to the functions of events.
Hostility events(Random& random) {
  return {
      .body = with_address(
          "clk_event_t e = create_user_event(); " +
              random.pick({"", "*(private ulong*)&e = a; ", "*(private ulong*)&e = b; ",
                           "*(private ulong*)&e = (ulong)o; ", "*(private ulong*)&e += 64; "}) +
              "for (int i = 0; i < " + random.pick({"1", "2", "100", "1000"}) + "; ++i) { " +
              random.pick(
                  {"release_event(e);", "retain_event(e);", "set_user_event_status(e, (int)b);",
                   "capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, (global ulong*)@);"}) +
              " o[1] += is_valid_event(e); set_user_event_status(e, 0); release_event(e); }",
          random.pick({"a", "c", "(ulong)o", "(ulong)o + (1ul << 40)"})),
      .global = 4};
}

Hostility image_coordinates(Random& random) {
  const std::string x = random.pick({"(int)b", "INT_MIN", "INT_MAX", "(int)id << 26", "-1"}),
                    y = random.pick({"(int)(b >> 32)", "INT_MIN", "INT_MAX", "-(int)id * 77777", "64"}),
                    at = "(int2)(" + x + ", " + y + ")";
  return {.body = "const sampler_t s = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_" +
                  random.pick({"REPEAT", "MIRRORED_REPEAT", "CLAMP", "CLAMP_TO_EDGE", "NONE"}) +
                  " | CLK_FILTER_" + random.pick({"LINEAR", "NEAREST"}) + "; float4 v = read_imagef(in, " +
                  at + ") + read_imagef(in, s, " +
                  random.pick({"(float2)(NAN, INFINITY)", "(float2)(1e38f, -1e38f)", "as_float2(b)",
                               "(float2)(-1e9f, 3e9f)"}) +
                  "); write_imagef(out, " + at + ", v); write_imagef(both, " + at + ", read_imagef(both, " +
                  at + ")); o[id] = as_uint(v.x);",
          .extra = Extra::images};
}

/// Uses of images, of a pipe and of a counter.
constexpr struct {
  Extra extra;
  const char* text;
} uses[] = {
    {Extra::images,
     "write_imagef(out, (int2)(id), read_imagef(both, (int2)(id, 3))); o[1] = get_image_width(in) + "
     "get_image_height(out);"},
    {Extra::pipe,
     "uint y = 1; reserve_id_t r = reserve_write_pipe(p, (uint)(b % 9)); if (is_valid_reserve_id(r)) { "
     "write_pipe(p, r, (uint)b, &y); commit_write_pipe(p, r); } o[1] = write_pipe(p, &y) + "
     "get_pipe_num_packets(p);"},
    {Extra::counter, "for (int i = 0; i < 100; ++i) o[1] += atomic_inc(n);"}};

/// Changes words that may belong to descriptors of images, to a pipe or to a counter.
Hostility damage(Random& random) {
  const auto& use = uses[random.below(std::size(uses))];
  return {.body = "volatile global ulong* at = (volatile global ulong*)o; if (id == 0) for (long i = -" +
                  random.power(4, 12) + "; i < " + random.power(10, 18) +
                  "; ++i) { const ulong x = at[i]; if (x == 64 || x == " +
                  random.pick({"4096", "4", "256", "16", "0"}) + " || x >> 40 == (ulong)o >> 40) at[i] = " +
                  random.pick({"b", "a", "0", "~0ul", "(ulong)o"}) + "; } " + use.text,
          .danger = Danger::memory,
          .extra = use.extra,
          .declarations = "#pragma OPENCL EXTENSION cl_ext_atomic_counters_32 : enable"};
}

constexpr Family all[] = {{"trap", trap},
                          {"division", division},
                          {"large_private", large_private},
                          {"deep_calls", deep_calls},
                          {"print", print},
                          {"unterminated_print", unterminated_print},
                          {"enqueue", enqueue},
                          {"events", events},
                          {"image_coordinates", image_coordinates},
                          {"damage", damage}};

} // namespace

std::span<const Family> call_families() {
  return all;
}

} // namespace test
