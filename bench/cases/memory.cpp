// Cases that are bound by memory.

#include "bench/device.hpp"
#include "bench/reference/reference.hpp"

namespace bench {
namespace {

constexpr std::size_t triad_size = 1 << 25;
constexpr double triad_bytes = 3.0 * sizeof(float) * triad_size;

Measurement triad(const Device& device) {
  const auto b = random_values<float>(triad_size, 0, 1, 1), c = random_values<float>(triad_size, 0, 1, 2);
  const cl::Buffer a = device.empty_buffer<float>(triad_size), b_buffer = device.buffer(b),
                   c_buffer = device.buffer(c);
  const auto kernel = device.kernel("triad.cl", "triad", "", a, b_buffer, c_buffer, 3.0f);
  const Measurement measured = device.time(triad_bytes, kernel, cl::NDRange(triad_size));

  std::vector<float> expected(triad_size);
  reference::triad(expected, b, c, 3.0f);
  check_close(device.read<float>(a, triad_size), expected, 1e-6);
  return measured;
}

Measurement triad_in_cpp() {
  const auto b = random_values<float>(triad_size, 0, 1, 1), c = random_values<float>(triad_size, 0, 1, 2);
  std::vector<float> a(triad_size);
  return median(triad_bytes, [&] { reference::triad(a, b, c, 3.0f); });
}

Measurement stencil(const Device& device) {
  constexpr std::size_t size = 4096;
  const auto in = random_values<float>(size * size, 0, 1);
  const cl::Buffer out = device.empty_buffer<float>(size * size), in_buffer = device.buffer(in);
  const auto kernel = device.kernel("stencil.cl", "stencil", "", in_buffer, out);
  const Measurement measured =
      device.time(2.0 * sizeof(float) * size * size, kernel, cl::NDRange(size, size));

  auto expected = in;
  for (std::size_t y = 1; y < size - 1; ++y)
    for (std::size_t x = 1; x < size - 1; ++x) {
      const std::size_t i = y * size + x;
      expected[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - size] + in[i + size]);
    }
  check_close(device.read<float>(out, size * size), expected, 1e-6);
  return measured;
}

Measurement transpose(const Device& device) {
  constexpr std::size_t size = 4096;
  const auto in = random_values<float>(size * size, 0, 1);
  const cl::Buffer out = device.empty_buffer<float>(size * size), in_buffer = device.buffer(in);
  const auto kernel = device.kernel("transpose.cl", "transpose", "", in_buffer, out);
  const Measurement measured =
      device.time(2.0 * sizeof(float) * size * size, kernel, cl::NDRange(size, size), cl::NDRange(16, 16));

  const auto result = device.read<float>(out, size * size);
  for (std::size_t y = 0; y < size; ++y)
    for (std::size_t x = 0; x < size; ++x)
      check(result[x * size + y] == in[y * size + x], "a transposed element");
  return measured;
}

struct Pixel {
  std::uint8_t channel[4];
  bool operator==(const Pixel&) const = default;
};

Pixel blurred(const std::vector<Pixel>& in, int size, int x, int y) {
  constexpr int weights[5] = {1, 4, 6, 4, 1};
  int sum[4] = {128, 128, 128, 128};
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx) {
      const Pixel& pixel = in[std::clamp(y + dy, 0, size - 1) * size + std::clamp(x + dx, 0, size - 1)];
      for (int c = 0; c < 4; ++c)
        sum[c] += weights[dy + 2] * weights[dx + 2] * pixel.channel[c];
    }
  return {{std::uint8_t(sum[0] >> 8), std::uint8_t(sum[1] >> 8), std::uint8_t(sum[2] >> 8),
           std::uint8_t(sum[3] >> 8)}};
}

Measurement blur(const Device& device) {
  constexpr int size = 1024;
  std::vector<Pixel> in(std::size_t(size) * size);
  Random random;
  for (Pixel& pixel : in)
    for (std::uint8_t& channel : pixel.channel)
      channel = std::uint8_t(random.bits());
  const cl::Buffer out = device.empty_buffer<Pixel>(in.size()), in_buffer = device.buffer(in);
  const auto kernel = device.kernel("blur.cl", "blur", "", in_buffer, out);
  const Measurement measured = device.time(size * size, kernel, cl::NDRange(size, size));

  const auto result = device.read<Pixel>(out, in.size());
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x)
      check(result[y * size + x] == blurred(in, size, x, y), "a blurred pixel");
  return measured;
}

constexpr Unit bandwidth{"GB/s", 1e9};
constexpr Case cases[] = {
    {"triad", "triad", bandwidth, triad, triad_in_cpp},
    {"stencil", "five-point stencil", bandwidth, stencil},
    {"transpose", "transpose via local memory", bandwidth, transpose},
    {"blur", "5×5 image blur, RGBA8", {"Mpixel/s", 1e6}, blur},
};

} // namespace

std::span<const Case> memory_cases() {
  return cases;
}

} // namespace bench
