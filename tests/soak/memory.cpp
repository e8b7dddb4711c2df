#include "soak/memory.hpp"

#include <algorithm>
#include <cstring>

namespace soak {

namespace {

/// Host memory of a buffer, which it gives back when it goes.
struct HostBlock {
  World& world;
  Words words;
};

void CL_CALLBACK forget(cl_mem, void* data) {
  auto* block = static_cast<HostBlock*>(data);
  --block->world.host_blocks;
  delete block;
}

void make_over_host_block(Memory& memory, World& world, const Place& place) {
  auto block = std::make_unique<HostBlock>(world, memory.model);
  cl_int error = CL_SUCCESS;
  test::Buffer buffer(
      clCreateBuffer(world.context, CL_MEM_USE_HOST_PTR, memory.words() * 4, block->words.data(), &error));
  expect(place, "clCreateBuffer", error);
  expect(place, "clSetMemObjectDestructorCallback",
         clSetMemObjectDestructorCallback(buffer, forget, block.get()));
  ++world.host_blocks;
  memory.host = block.release()->words.data();
  memory.buffer = std::move(buffer);
}

std::size_t random_size(Random& random) {
  if (random.chance(3)) return random.between(100'000, 600'000);
  return random.chance(30) ? random.between(1, 70) : random.between(71, 5000);
}

} // namespace

Memory::~Memory() {
  if (!svm) return;
  if (last) wait_surely(last);
  pager::remove(svm);
  clSVMFree(context, svm);
}

std::unique_ptr<Memory> make_memory(World& world, Random& random, const Place& place) {
  auto memory = std::make_unique<Memory>();
  memory->context = world.context;
  memory->model.resize(random_size(random));
  for (std::uint32_t& word : memory->model)
    word = random.word();
  cl_int error = CL_SUCCESS;
  const std::size_t bytes = memory->words() * 4;
  switch (random.below(3)) {
  case 0:
    memory->buffer.reset(
        clCreateBuffer(world.context, CL_MEM_COPY_HOST_PTR, bytes, memory->model.data(), &error));
    expect(place, "clCreateBuffer", error);
    break;
  case 1:
    make_over_host_block(*memory, world, place);
    break;
  default:
    memory->svm = static_cast<std::uint32_t*>(
        clSVMAlloc(world.context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, bytes, 0));
    if (!memory->svm && axes.limits) throw Shortage{"clSVMAlloc", CL_OUT_OF_RESOURCES};
    if (!memory->svm) fail(place, "clSVMAlloc", "memory", "null");
    memory->host = memory->svm;
    pager::add(memory->svm, bytes);
    std::memcpy(memory->svm, memory->model.data(), bytes);
  }
  return memory;
}

void compare(const Place& place, const char* what, const std::uint32_t* actual, const Words& expected) {
  ++counts.comparisons;
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (actual[i] != expected[i])
      fail(place,
           std::string(what) + ", word " + std::to_string(i) + " of " + std::to_string(expected.size()),
           std::to_string(expected[i]), std::to_string(actual[i]));
}

void verify(Memory& memory, cl_command_queue queue, const Place& place) {
  cl_event last = memory.last;
  if (axes.limits && last && shortage::is_permitted(wait_surely(last))) return;
  Words actual(memory.words());
  if (memory.svm) {
    if (last) expect(place, "clWaitForEvents", clWaitForEvents(1, &last));
    std::memcpy(actual.data(), memory.svm, memory.words() * 4);
  } else {
    expect(place, "clEnqueueReadBuffer",
           clEnqueueReadBuffer(queue, memory.buffer, CL_TRUE, 0, memory.words() * 4, actual.data(),
                               last ? 1 : 0, last ? &last : nullptr, nullptr));
  }
  compare(place, "contents of memory", actual.data(), memory.model);
}

} // namespace soak
