#include "bench/native/work.hpp"

#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <tbb/parallel_for.h>

namespace bench::native {
namespace {

constexpr std::size_t large_page = std::size_t(2) << 20;

/// Memory for the C++ side, on large pages where the system has them, as buffers of a driver may be. All threads touch
/// pages first, so that the pages are spread over the memory of all NUMA nodes.
std::shared_ptr<std::byte> allocate(std::size_t bytes) {
  const std::size_t alignment = bytes >= large_page ? large_page : 64;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  auto* memory = static_cast<std::byte*>(std::aligned_alloc(alignment, std::max(rounded, alignment)));
  if (!memory) throw std::bad_alloc();
  if (alignment == large_page) madvise(memory, rounded, MADV_HUGEPAGE);
  tbb::parallel_for(std::size_t(0), rounded, large_page, [=](std::size_t first) {
    std::memset(memory + first, 0, std::min(large_page, rounded - first));
  });
  return {memory, std::free};
}

/// The largest difference between the sorted elements.
double sorted_difference(const std::byte* have_bytes, const std::byte* want_bytes, std::size_t bytes) {
  const auto sorted = [=](const std::byte* first) {
    std::vector<cl_uint> elements(bytes / sizeof(cl_uint));
    std::memcpy(elements.data(), first, bytes);
    std::sort(elements.begin(), elements.end());
    return elements;
  };
  const auto have = sorted(have_bytes), want = sorted(want_bytes);
  return largest_difference<cl_uint>(std::as_bytes(std::span(have)).data(),
                                     std::as_bytes(std::span(want)).data(), bytes);
}

} // namespace

Work::Work(const Device& device, const char* file, bool small)
    : device_(device), small_(small), program_(device.build_file(data_folder("native/kernels") / file)) {}

int Work::number(int full, int small) {
  data_.numbers.push_back(pick(full, small));
  return data_.numbers.back();
}

Array Work::store(Stored stored, const void* contents) {
  stored.memory = allocate(stored.bytes);
  if (!stored.image()) stored.buffer = cl::Buffer(device_.context(), CL_MEM_READ_WRITE, stored.bytes);
  if (contents) {
    const auto* first = static_cast<const std::byte*>(contents);
    stored.first.assign(first, first + stored.bytes);
    std::memcpy(stored.memory.get(), contents, stored.bytes);
    write_opencl(stored, contents);
  }
  data_.arrays.push_back(stored.memory.get());
  arrays_.push_back(std::move(stored));
  return {arrays_.size() - 1};
}

Array Work::unordered_result(const std::vector<cl_uint>& contents) {
  Stored stored;
  stored.bytes = contents.size() * sizeof(cl_uint);
  stored.role = Role::result;
  stored.difference = sorted_difference;
  return store(std::move(stored), contents.data());
}

Array Work::image(Role role, const std::vector<cl_uint>& pixels, int width, cl_channel_type type) {
  Stored stored;
  stored.bytes = pixels.size() * sizeof(cl_uint);
  stored.role = role;
  stored.difference = largest_difference<cl_uint>;
  stored.image_size = {std::size_t(width), pixels.size() / std::size_t(width), 1};
  stored.image = cl::Image2D(device_.context(), CL_MEM_READ_WRITE, cl::ImageFormat(CL_RGBA, type),
                             stored.image_size[0], stored.image_size[1]);
  return store(std::move(stored), pixels.data());
}

void Work::write_opencl(const Stored& stored, const void* contents) const {
  if (stored.image())
    device_.queue().enqueueWriteImage(stored.image, CL_TRUE, {0, 0, 0}, stored.image_size, 0, 0, contents);
  else
    device_.queue().enqueueWriteBuffer(stored.buffer, CL_TRUE, 0, stored.bytes, contents);
}

std::vector<std::byte> Work::read_opencl(const Stored& stored) const {
  if (!stored.image()) return device_.read<std::byte>(stored.buffer, stored.bytes);
  std::vector<std::byte> pixels(stored.bytes);
  device_.queue().enqueueReadImage(stored.image, CL_TRUE, {0, 0, 0}, stored.image_size, 0, 0, pixels.data());
  return pixels;
}

cl::NDRange Work::range(const std::vector<int>& sizes) {
  std::vector<std::size_t> sides(sizes.begin(), sizes.end());
  switch (sides.size()) {
  case 0:
    return cl::NullRange;
  case 1:
    return {sides[0]};
  case 2:
    return {sides[0], sides[1]};
  default:
    return {sides[0], sides[1], sides[2]};
  }
}

std::vector<std::string> Work::launches() const {
  std::vector<std::string> lines;
  for (const Launch& launch : launches_) {
    std::string line = launch.kernel.getInfo<CL_KERNEL_FUNCTION_NAME>();
    for (const cl::NDRange& range : {launch.global, launch.local})
      for (std::size_t i = 0; i < range.dimensions(); ++i)
        line.append(i == 0 ? " " : ",").append(std::to_string(range.get()[i]));
    lines.push_back(std::move(line));
  }
  return lines;
}

void Work::restore_opencl() const {
  for (const Stored& array : arrays_)
    if (array.role == Role::result) write_opencl(array, array.first.data());
}

void Work::restore_native() {
  for (const Stored& array : arrays_)
    if (array.role == Role::result) std::memcpy(array.memory.get(), array.first.data(), array.bytes);
}

void Work::run_opencl() const {
  for (const Launch& launch : launches_)
    device_.launch(launch.kernel, launch.global, launch.local);
  device_.queue().finish();
}

void Work::compare(std::size_t index, const std::byte* have) const {
  const Stored& array = arrays_[index];
  const double difference = array.difference(have, array.expected.data(), array.bytes);
  if (difference > array.tolerance)
    throw std::runtime_error("array " + std::to_string(index) + " differs from the C++ side's by " +
                             std::to_string(difference) + " of its largest magnitude");
}

void Work::check_opencl() const {
  for (std::size_t i = 0; i < arrays_.size(); ++i)
    if (arrays_[i].role == Role::result) compare(i, read_opencl(arrays_[i]).data());
}

void Work::check_native() const {
  for (std::size_t i = 0; i < arrays_.size(); ++i)
    if (arrays_[i].role == Role::result) compare(i, arrays_[i].memory.get());
}

void Work::keep_expected() {
  bool changed = false;
  for (Stored& array : arrays_) {
    if (array.role != Role::result) continue;
    array.expected.assign(array.memory.get(), array.memory.get() + array.bytes);
    changed |= array.expected != array.first;
  }
  if (!changed) throw std::runtime_error("the C++ side left all results as they were");
}

} // namespace bench::native
