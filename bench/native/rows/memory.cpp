#include "bench/native/work.hpp"

namespace bench::native {
namespace {

void triad(Work& work) {
  const int n = work.number(1 << 23, 1000);
  const Array a = work.result(std::vector<float>(n)), b = work.input(random_values<float>(n, 0, 1, 1)),
              c = work.input(random_values<float>(n, 0, 1, 2));
  work.launch("triad", {{n}}, a, b, c, 0.4f);
}

void transpose(Work& work) {
  const int width = work.number(2048, 64), height = work.number(1536, 32);
  const Array in = work.input(random_values<float>(width * height, 0, 1)),
              out = work.result(std::vector<float>(width * height));
  work.launch("transpose", {{width, height}, {16, 16}}, in, out, width, height);
}

/// Copies an image of RGBA8.
void image_copy(Work& work, const char* kernel, cl_channel_type type, int side) {
  Random random;
  std::vector<cl_uint> pixels(std::size_t(side) * side);
  for (cl_uint& pixel : pixels)
    pixel = cl_uint(random.bits());
  const Array in = work.image(Role::input, pixels, side, type),
              out = work.image(Role::result, std::vector<cl_uint>(pixels.size()), side, type);
  work.launch(kernel, {{side, side}}, in, out);
}

void image_copy_floats(Work& work) {
  image_copy(work, "copy_floats", CL_UNORM_INT8, work.number(1024, 32));
}

void image_copy_integers(Work& work) {
  image_copy(work, "copy_integers", CL_UNSIGNED_INT8, work.number(1024, 32));
}

void large_image_copy_floats(Work& work) {
  image_copy(work, "copy_floats", CL_UNORM_INT8, work.number(4096, 32));
}

void large_image_copy_integers(Work& work) {
  image_copy(work, "copy_integers", CL_UNSIGNED_INT8, work.number(4096, 32));
}

void small_launches(Work& work) {
  const int n = work.number(1000, 100), launches = work.number(4000, 20);
  const Array y = work.result(random_values<float>(n, 0, 1, 1), 1e-3),
              x = work.input(random_values<float>(n, 0, 1, 2));
  for (int launch = 0; launch < launches; ++launch)
    work.launch("add_scaled", {{n}}, y, x, launch % 2 ? -0.5f : 0.75f, n);
}

} // namespace

std::span<const Row> memory_rows() {
  static constexpr Row rows[] = {
      {"triad", "triad", "memory.cl", triad},
      {"transpose", "transposition in tiles", "memory.cl", transpose},
      {"image_copy", "image copy, RGBA8, 4 MiB", "memory.cl", image_copy_floats},
      {"image_copy_uint", "the same, integer pixels", "memory.cl", image_copy_integers},
      {"image_copy_large", "image copy, RGBA8, 64 MiB", "memory.cl", large_image_copy_floats},
      {"image_copy_large_uint", "the same, integer pixels", "memory.cl", large_image_copy_integers},
      {"small_launches", "4,000 launches of 1,000 items", "memory.cl", small_launches},
  };
  return rows;
}

} // namespace bench::native
