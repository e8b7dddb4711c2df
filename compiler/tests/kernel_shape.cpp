// Facts about kernels as attributes, and numbers of dimensions.

#include "compiler/ir/kernel_shape.hpp"

#include "compiler/tests/module_text.hpp"

using namespace hostcl::compiler;
using namespace llvm;

TEST_CASE("Kernel shape: what is absent, or is no number, has its default", "[kernel_shape]") {
  const ModuleText module(R"(
define spir_kernel void @plain() { ret void }
define spir_kernel void @strange() "hostcl.width"="wide" "hostcl.dimensions"="" "hostcl.full_chunks"="yes" "hostcl.reversed" { ret void }
)");
  for (const char* name : {"plain", "strange"}) {
    CAPTURE(name);
    const KernelShape shape = kernel_shape(module.function(name));
    CHECK(shape.width == 1);
    CHECK(shape.dimensions == 3);
    CHECK(shape.vector_dimension == 0);
    CHECK_FALSE(shape.full_chunks);
    CHECK_FALSE(shape.reversed);
    CHECK_FALSE(shape.tier0);
  }
}

TEST_CASE("Kernel shape: each attribute is the member of its name", "[kernel_shape]") {
  using Flag = bool KernelShape::*;
  constexpr std::pair<const char*, Flag> flags[] = {
      {"full_chunks", &KernelShape::full_chunks},
      {"one_chunk", &KernelShape::one_chunk},
      {"uniform_groups", &KernelShape::uniform_groups},
      {"single_item", &KernelShape::single_item},
      {"sees_vectors", &KernelShape::sees_vectors},
      {"group_scratch", &KernelShape::group_scratch},
      {"partial_sub_groups", &KernelShape::partial_sub_groups},
      {"linearised_sub_groups", &KernelShape::linearised_sub_groups},
      {"reversed", &KernelShape::reversed},
      {"tier0", &KernelShape::tier0},
      {"buffers_disjoint", &KernelShape::buffers_disjoint}};
  for (const auto& [set, ignored] : flags) {
    const ModuleText module("define spir_kernel void @k() \"hostcl." + std::string(set) +
                            "\"=\"true\" \"hostcl.width\"=\"16\" \"hostcl.dimensions\"=\"2\" "
                            "\"hostcl.vector_dimension\"=\"1\" { ret void }");
    const KernelShape shape = kernel_shape(module.function("k"));
    CHECK(shape.width == 16);
    CHECK(shape.dimensions == 2);
    CHECK(shape.vector_dimension == 1);
    for (const auto& [name, flag] : flags) {
      CAPTURE(set, name);
      CHECK(shape.*flag == (std::string(name) == set));
    }
  }
}

TEST_CASE("Kernel shape: renaming a dimension twice gives it its name again", "[kernel_shape]") {
  for (unsigned vectors = 0; vectors < 3; ++vectors) {
    KernelShape shape;
    shape.vector_dimension = vectors;
    CHECK(shape.renamed(0) == vectors);
    CHECK(shape.renamed(vectors) == 0);
    for (unsigned dimension = 0; dimension < 3; ++dimension) {
      CAPTURE(vectors, dimension);
      CHECK(shape.renamed(shape.renamed(dimension)) == dimension);
      if (dimension != 0 && dimension != vectors) CHECK(shape.renamed(dimension) == dimension);
    }
  }
}

TEST_CASE("Kernel shape: kernels have the calling convention and a body", "[kernel_shape]") {
  const ModuleText module(R"(
define spir_kernel void @convention() { ret void }
define spir_func void @function() { ret void }
declare spir_kernel void @declared()
)");
  CHECK(is_kernel_body(module.function("convention")));
  CHECK_FALSE(is_kernel_body(module.function("function")));
  CHECK_FALSE(is_kernel_body(module.function("declared")));
}

TEST_CASE("Kernel shape: the context's size is what was set last, of 64 bits", "[kernel_shape]") {
  const ModuleText module("define spir_kernel void @k() { ret void }");
  Function& kernel = module.function("k");
  CHECK(context_size(kernel).fixed == 0);
  constexpr std::uint64_t large = std::uint64_t{1} << 40;
  set_context_size(kernel, {.fixed = 128, .per_chunk = 4});
  set_context_size(kernel, {.fixed = large, .per_chunk = 8});
  CHECK(context_size(kernel).fixed == large);
  CHECK(context_size(kernel).per_chunk == 8);
}
