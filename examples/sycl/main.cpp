// A SYCL program whose kernel is compiled when it runs: it counts the bytes of a text with sycl::atomic_ref.

#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

namespace experimental = sycl::ext::oneapi::experimental;

constexpr const char* source = R"(
#include <sycl/sycl.hpp>

namespace oneapi = sycl::ext::oneapi;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((oneapi::experimental::nd_range_kernel<1>))
void count_bytes(const unsigned char* text, unsigned size, unsigned* counts) {
  const auto item = oneapi::this_work_item::get_nd_item<1>();
  using Count = sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::device>;
  for (unsigned i = item.get_global_linear_id(); i < size; i += item.get_global_range(0))
    Count(counts[text[i]]).fetch_add(1);
}
)";

int main(int count, char** arguments) {
  std::ifstream file(count > 1 ? arguments[1] : __FILE__, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.empty()) {
    std::fprintf(stderr, "sycl: %s is no file with text\n", arguments[1]);
    return 1;
  }
  sycl::queue queue{sycl::cpu_selector_v};
  std::printf("%s on %s\n", queue.get_device().get_info<sycl::info::device::name>().c_str(),
              queue.get_device().get_platform().get_info<sycl::info::platform::name>().c_str());

  auto bundle = experimental::create_kernel_bundle_from_source(
      queue.get_context(), experimental::source_language::sycl, std::string(source));
  sycl::kernel kernel = experimental::build(bundle).ext_oneapi_get_kernel("count_bytes");

  auto* bytes = sycl::malloc_shared<unsigned char>(text.size(), queue);
  auto* counts = sycl::malloc_shared<unsigned>(256, queue);
  std::copy(text.begin(), text.end(), bytes);
  std::fill_n(counts, 256, 0u);
  queue.submit([&](sycl::handler& handler) {
    handler.set_args(bytes, static_cast<unsigned>(text.size()), counts);
    handler.parallel_for(sycl::nd_range<1>{4096, 64}, kernel);
  });
  queue.wait();

  bool is_right = true;
  for (int byte = 0; byte < 256; ++byte)
    is_right &=
        counts[byte] == static_cast<unsigned>(std::count(text.begin(), text.end(), static_cast<char>(byte)));
  const auto most = std::max_element(counts, counts + 256);
  std::printf("%zu bytes, %u of the most frequent, 0x%02x: %s\n", text.size(), *most,
              static_cast<unsigned>(most - counts), is_right ? "as counted by the host" : "WRONG");
  sycl::free(bytes, queue);
  sycl::free(counts, queue);
  return is_right ? 0 : 1;
}
