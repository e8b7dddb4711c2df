// Families of hostile kernels (kernel.hpp) that access memory outside of their arguments.

#include "hostile/kernels/kernel.hpp"

namespace test {

namespace {

/// The beginning of the memory that contains *o, as the driver aligns it.
constexpr const char* region = "((ulong)o & ~((1ul << 30) - 1))";

/// An expression for an address that the kernel must not access.
std::string wild_address(Random& random) {
  const std::string far = random.power(12, 46), near = random.power(4, 16);
  switch (random.below(10)) {
  case 0:
    return "b"; // 64 random bits
  case 1:
    return "b >> 17"; // most likely an address that Linux gives to processes
  case 2:
    return "a + " + std::to_string(8 * random.below(64)) + " - 256"; // memory of the application
  case 3:
    return "(ulong)o + " + far;
  case 4:
    return "(ulong)o - " + far;
  case 5:
    return "(ulong)o ^ " + far;
  case 6:
    return std::string(region) + " + b % (1ul << 30)";
  case 7:
    return "(ulong)l + " + near;
  case 8:
    return "(ulong)l - " + near;
  default:
    return "0x7fff00000000ul + b % (1ul << 32)";
  }
}

std::string type_in(Random& random, const std::string& space) {
  return "volatile " + space + " " + random.pick({"uchar", "ushort", "uint", "ulong", "uint4", "ulong8"});
}

/// Accesses an address through a pointer.
std::string access(Random& random, const std::string& space, const std::string& address) {
  const std::string type = type_in(random, space), pointer = "((" + type + "*)(" + address + "))",
                    number = "((volatile " + space + " int*)(" + address + "))",
                    plain = "((" + space + " uint*)(" + address + "))";
  const bool has_atomics = space == "global" || space == "local";
  switch (random.below(has_atomics ? 9 : 5)) {
  case 0:
    return "o[1] += ((volatile " + space + " uint*)(" + address + "))[0];";
  case 1:
    return "*" + pointer + " = 1;";
  case 2:
    return pointer + "[id] = 0x41;";
  case 3:
    return "o[2] = vload8(0, " + plain + ").s" + std::to_string(random.below(8)) + ";";
  case 4:
    return "vstore4((uint4)(0x41414141u), 0, " + plain + ");";
  case 5:
    return "o[3] = atomic_add(" + number + ", 1);";
  case 6:
    return "o[3] = atomic_cmpxchg(" + number + ", 0, 1);";
  case 7:
    return "atomic_xchg(" + number + ", -1);";
  default:
    return "atomic_max(" + number + ", 5);";
  }
}

std::string guarded(Random& random, const std::string& text) {
  return random.one_in(2) ? text : "if (id == " + std::to_string(random.below(64)) + ") { " + text + " }";
}

Hostility wild(Random& random, const std::string& space) {
  return {.body = guarded(random, access(random, space, wild_address(random))), .danger = Danger::memory};
}

Hostility wild_global(Random& random) {
  return wild(random, "global");
}
Hostility wild_local(Random& random) {
  return wild(random, "local");
}
Hostility wild_private(Random& random) {
  return wild(random, "private");
}

Hostility wild_constant(Random& random) {
  return {.body = "o[1] = ((const constant uint*)(" + wild_address(random) + "))[id];"};
}

/// Accesses of addresses that no process has. The address is an argument, so that the compiler does not know it.
Hostility certain_fault(Random& random) {
  constexpr std::uint64_t addresses[] = {0,
                                         8,
                                         0x1000,
                                         0xdead'beef'dead'beef,
                                         0x8000'0000'0000'0000,
                                         0xffff'8000'0000'0000,
                                         0xffff'ffff'ffff'f000,
                                         0x0000'8000'0000'0000};
  const std::string space = random.pick({"global", "local", "private"}), type = type_in(random, space);
  const std::string body =
      random.one_in(2) ? "*((" + type + "*)c) = 1;" : "o[1] = ((volatile " + space + " uint*)c)[0];";
  return {.body = guarded(random, body),
          .ending = Ending::failure,
          .c = addresses[random.below(std::size(addresses))]};
}

/// Offsets that are far too large, also offsets whose computation overflows.
Hostility huge_offset(Random& random) {
  const std::string index =
      random.pick({"b", "b * id", "(1ul << 62) + id", "-(long)id * 4096", "id << 20",
                   "0xfffffffffffffffful - id * b", "(int)(b >> 3) * (long)id", "(id + 1) * 0x1000000000ul"});
  const std::string pointer = random.pick({"o", "l", "t"});
  return {.body = "volatile private uint t[8]; t[id % 8] = 1; " + pointer + "[" + index + "] " +
                  random.pick({"= 7;", "+= 1;", "= o[5] ^ 1;"}) + " o[4] = t[b % 8];",
          .danger = Danger::memory};
}

/// Writes each step-th byte, upwards or downwards from memory that the kernel may write.
Hostility walk(Random& random) {
  const std::string space = random.pick({"global", "local", "private"});
  const std::string first = space == "global" ? "o" : space == "local" ? "l" : "t";
  const std::string direction = random.pick({"", "-"}),
                    step = random.pick({"4", "64", "128", "4096", "65536"}),
                    value = random.pick({"0", "1", "2", "0x41414141", "0xffffffff", "(uint)i", "(uint)a"});
  return {.body = "volatile private uint t[16]; t[3] = 1; volatile " + space + " uchar* at = (volatile " +
                  space + " uchar*)" + first + "; if (id == 0) for (long i = 0; i < 1l << 31; i += " + step +
                  ") *(volatile " + space + " uint*)(at + " + direction + "i) = " + value + ";",
          .danger = Danger::memory};
}

/// Writes at random addresses in all memory that a pointer can reach.
Hostility scatter(Random& random) {
  const std::string value =
      random.pick({"x", "(uint)a", "0", "(uint)(x & 7)", "(uint)(ulong)o", "0x7fffffff", "0xf4f4f4f4"});
  return {.body =
              "ulong x = b | 1; if (id == 0) for (int i = 0; i < " + random.power(4, 15) +
              "; ++i) { x = x * 6364136223846793005ul + 1442695040888963407ul; *(volatile global uint*)(" +
              region + " + (x >> 33) % " + random.power(14, 30) + " / 4 * 4) = " + value + "; }",
          .danger = Danger::memory};
}

/// Writes addresses of the application to the memory through which the two processes communicate, and next to the
/// arguments.
Hostility forge(Random& random) {
  const std::string first = random.pick({region, "(ulong)l - 4096", "(ulong)l", "(ulong)&t - 8192"});
  const std::string value = random.pick({"a", "a", "c", "b", "(ulong)o", "1ul << 32 | 3", "id"});
  return {.body = "ulong t[2]; t[id & 1] = b; volatile global ulong* at = (volatile global ulong*)(" + first +
                  "); if (id == 0) for (int i = 0; i < " + random.power(3, 12) + "; ++i) if (at[i] " +
                  random.pick({"!= 0", "> 0xffff", "== 0", "< 64", "!= b"}) + ") at[i] = " + value +
                  "; o[1] = t[b & 1];",
          .danger = Danger::memory,
          .c = random.below(8)};
}

/// Writes machine code to memory of the context, no-operations followed by a system call, and makes the guest jump
/// there.
Hostility code(Random& random) {
  const std::string call = random.pick({"39", "1", "9", "57", "59", "62", "60", "231", "101", "24"});
  return {.body = "const ulong first = (ulong)table & ~((1ul << 30) - 1); volatile global ulong* at = "
                  "(volatile global "
                  "ulong*)first; if (id == 0) for (int i = " +
                  random.pick({"0", "1024"}) + "; i < 16384; ++i) at[i] = i % 512 == 511 ? " +
                  random.pick({"0xf4f4f4f4f4050f90ul", "0xf4f4f4f4f480cd90ul", "0xccccccccccccccccul"}) +
                  " : i % 512 == 510 ? 0x90909000000000b8ul | " + call +
                  "ul << 8 : 0x9090909090909090ul; o[1] = table[b & 3];",
          .danger = Danger::memory,
          .declarations = "constant uint table[4] = {1, 2, 3, 4};"};
}

/// Overwrites return addresses, saved registers and pointers on the thread's stack.
Hostility smash(Random& random) {
  return {.body = "volatile ulong t[4]; t[id & 3] = b; for (int i = 0; i < " + random.power(2, 12) +
                  "; ++i) t[" + random.pick({"i", "-i", "i * 7", "(long)i << 4"}) +
                  "] = " + random.pick({"a", "c", "b", "(ulong)o", "0"}) + "; o[id] = t[b & 3];",
          .danger = Danger::memory,
          .local = random.one_in(2) ? std::size_t{16} : 0};
}

Hostility copy(Random& random) {
  const std::string address = wild_address(random);
  return {.body = random.one_in(2) ? "event_t e = async_work_group_copy(l, (const global uint*)(" + address +
                                         "), 64, 0); wait_group_events(1, &e); o[1] = l[3];"
                                   : "l[get_local_id(0) & 63] = 1; barrier(CLK_LOCAL_MEM_FENCE); event_t e = "
                                     "async_work_group_copy((global uint*)(" +
                                         address + "), l, 64, 0); wait_group_events(1, &e);",
          .danger = Danger::memory};
}

constexpr Family all[] = {{"wild_global", wild_global},
                          {"wild_local", wild_local},
                          {"wild_private", wild_private},
                          {"wild_constant", wild_constant},
                          {"certain_fault", certain_fault},
                          {"huge_offset", huge_offset},
                          {"walk", walk},
                          {"scatter", scatter},
                          {"forge", forge},
                          {"code", code},
                          {"smash", smash},
                          {"copy", copy}};

} // namespace

std::span<const Family> memory_families() {
  return all;
}

} // namespace test
