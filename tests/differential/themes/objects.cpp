// Images, pipes, and blocks that kernels enqueue. The host has none of them.

#include "differential/generator.hpp"

namespace differential {

Node Generator::image() {
  const std::string sampler = fresh("sampler_"), v = fresh("v");
  auto coordinate = [&] { return small(63); };
  switch (below(5)) {
  case 0: // within the image
    return statement("{\nconst uint4 " + v + " = read_imageui(picture, (int2)($0 & 31, $1 & 15));\n" +
                         leave("(ulong)" + v + ".x + (ulong)" + v + ".w * 3u") + "\n}",
                     expression(scalar_type("int"), 1), expression(scalar_type("int"), 1));
  case 1: { // or beyond
    declared(sampler, "constant sampler_t " + sampler + " = CLK_NORMALIZED_COORDS_FALSE | " +
                          any_of({"CLK_ADDRESS_CLAMP", "CLK_ADDRESS_CLAMP_TO_EDGE"}) +
                          " | CLK_FILTER_NEAREST;");
    return statement("{\nconst uint4 " + v + " = read_imageui(picture, " + sampler + ", (int2)($0 - 9, " +
                         any_of({"i - 3", "$1 - 9", "(i >> 3) - 1"}) + "));\n" +
                         leave("(ulong)" + v + ".y + (ulong)" + v + ".z * 3u") + "\n}",
                     coordinate(), coordinate());
  }
  case 2: {
    declared(sampler, "constant sampler_t " + sampler + " = CLK_NORMALIZED_COORDS_" +
                          any_of({"FALSE", "TRUE"}) + " | CLK_ADDRESS_CLAMP_TO_EDGE | " +
                          any_of({"CLK_FILTER_NEAREST", "CLK_FILTER_LINEAR"}) + ";");
    return statement("{\nconst float4 " + v + " = read_imagef(field, " + sampler +
                         ", (float2)((float)$0 * 0.25f, (float)$1 * 0.125f));\n" +
                         leave("bits(" + v + ".x) + bits(" + v + ".w) * 3u") + "\n}",
                     coordinate(), coordinate());
  }
  case 3:
    return statement("write_imageui(drawn, (int2)(i & 63, i >> 6), (uint4)($0, (uint)i, $1, 1u));",
                     expression(scalar_type("uint"), 1), expression(scalar_type("uint"), 1));
  default:
    return statement("for (int " + v + " = 0; " + v + " < $0; ++" + v + ") " +
                         leave("(ulong)read_imageui(picture, (int2)((i + " + v +
                               ") & 31, (i >> 5) & 15)).x * (ulong)(" + v + " + 1)"),
                     small(7));
  }
}

/// A work-item writes at most `left` packets, so that the pipe has room for all.
Node Generator::through_pipe() {
  static constexpr const char* fill = "kernel void fill_source(write_only pipe uint source, int count) "
                                      "{\nfor (int q = 0; q < count; ++q) {\nconst uint x = "
                                      "(uint)q * 77u;\nwrite_pipe(source, &x);\n}\n}";
  static constexpr const char* drain = "kernel void drain_sink(read_only pipe uint sink, global uint* to) "
                                       "{\nuint x;\nwhile (read_pipe(sink, &x) == 0) "
                                       "*to++ = x;\n}";
  const std::string x = fresh("x"), id = fresh("id");
  if (chance(30)) {
    declared("source", fill);
    return statement("{\nuint " + x + ";\nwhile (read_pipe(source, &" + x +
                     ") == 0) atomic_add(&cells[SUM * 8 + 5], scramble(" + x + "));\n}");
  }
  declared("sink", drain);
  if (chance(40))
    return statement("if (left > 1) {\nuint " + x + " = $0;\nleft -= 2;\nreserve_id_t " + id +
                         " = reserve_write_pipe(sink, 2);\nif (is_valid_reserve_id(" + id +
                         ")) {\nwrite_pipe(sink, " + id + ", 1, &" + x + ");\n" + x +
                         " += (uint)i;\nwrite_pipe(sink, " + id + ", 0, &" + x +
                         ");\ncommit_write_pipe(sink, " + id + ");\n}\n}",
                     expression(scalar_type("uint"), 1));
  return statement("if ($1 && left-- > 0) {\nconst uint " + x + " = $0;\nwrite_pipe(sink, &" + x + ");\n}",
                   expression(scalar_type("uint"), 1), condition(1));
}

/// Children of a few work-items. They write what nothing else does, and add to what commutes.
Node Generator::child() {
  const std::string when = any_of(
      {"CLK_ENQUEUE_FLAGS_NO_WAIT", "CLK_ENQUEUE_FLAGS_WAIT_KERNEL", "CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP"});
  const std::string range = any_of(
      {"ndrange_1D(5)", "ndrange_1D(16, 4)", "ndrange_1D(2, 8, 8)", "ndrange_2D(extent)", "ndrange_1D(1)"});
  const std::string body = any_of(
      {"atomic_add(&cells[ADD * 8 + (get_global_id(0) & 7u)], VALUE + (uint)get_global_id(0));",
       "raw[slot * 64 + (int)(get_global_id(0) & 31u)] = (uchar)(get_global_id(0) * 3u);",
       "for (uint q = 0; q < (uint)get_global_id(0); ++q) atomic_xor(&cells[XOR * 8 + (q & 7u)], VALUE * q);",
       "if (get_global_id(0) & 1u) atomic_max(&cells[MAX * 8 + 1], VALUE ^ (uint)get_global_id(0));\nelse "
       "atomic_inc(&cells[COUNT * 8 + 7]);"});
  const std::string value = fresh("value");
  std::string text = body;
  for (std::size_t at = 0; (at = text.find("VALUE", at)) != std::string::npos;)
    text.replace(at, 5, value);
  return statement("if ((i & 7) == " + number(8) +
                       " && i < 256 && left-- > 0) {\nconst size_t extent[2] = {3, 2};\nconst uint " + value +
                       " = $0;\nenqueue_kernel(get_default_queue(), " + when + ", " + range + ", ^{\n" +
                       text + "\n});\n}",
                   expression(scalar_type("uint"), 1));
}

} // namespace differential
