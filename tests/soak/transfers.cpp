// Reads, writes, copies, fills and maps, blocking or not, of buffers, sub-buffers and SVM.

#include "soak/worker.hpp"

#include <algorithm>
#include <cstring>

namespace soak {

namespace {

/// Words of a memory.
struct Part {
  std::size_t first, count;
  std::size_t offset() const { return first * 4; }
  std::size_t bytes() const { return count * 4; }
};

Part random_part(Random& random, const Memory& memory) {
  const std::size_t first = random.chance(30) ? 0 : random.below(memory.words());
  const std::size_t rest = memory.words() - first;
  return {first, random.chance(30) ? rest : random.between(1, rest)};
}

std::unique_ptr<Words> random_words(Random& random, std::size_t count) {
  auto words = std::make_unique<Words>(count);
  for (std::uint32_t& word : *words)
    word = random.word();
  return words;
}

void note(Worker& worker, const char* name, const Memory& memory, Part part, const Step& step,
          bool blocking) {
  worker.note("%s%s of %s, words %zu + %zu of %zu, %u events waited for%s", blocking ? "blocking " : "", name,
              memory.svm ? "SVM" : "buffer", part.first, part.count, memory.words(), step.count(),
              step.fails ? ", one fails" : "");
}

cl_int enqueue_write(Step& s, Memory& m, Part part, const void* data, bool blocking) {
  if (m.svm)
    return clEnqueueSVMMemcpy(s.queue, blocking, m.svm + part.first, data, part.bytes(), s.count(), s.list(),
                              s.event.address());
  return clEnqueueWriteBuffer(s.queue, m.buffer, blocking, part.offset(), part.bytes(), data, s.count(),
                              s.list(), s.event.address());
}

cl_int enqueue_read(Step& s, const Memory& m, Part part, void* data, bool blocking) {
  if (m.svm)
    return clEnqueueSVMMemcpy(s.queue, blocking, data, m.svm + part.first, part.bytes(), s.count(), s.list(),
                              s.event.address());
  return clEnqueueReadBuffer(s.queue, m.buffer, blocking, part.offset(), part.bytes(), data, s.count(),
                             s.list(), s.event.address());
}

void write(Worker& worker) {
  Memory& memory = worker.memory();
  const Part part = random_part(worker.random, memory);
  auto data = random_words(worker.random, part.count);
  const bool blocking = worker.random.chance(30);
  Step step = worker.step({&memory});
  note(worker, "write", memory, part, step, blocking);
  Words same = *data;
  worker.expect("the write", enqueue_write(step, memory, part, data->data(), blocking),
                blocking ? step.outcome() : CL_SUCCESS);
  if (!step.fails) std::ranges::copy(*data, memory.model.begin() + static_cast<std::ptrdiff_t>(part.first));
  worker.settle(step, {&memory}, std::move(data), std::move(same));
}

void read(Worker& worker) {
  Memory& memory = worker.memory();
  const Part part = random_part(worker.random, memory);
  const bool blocking = worker.random.chance(40);
  Step step = worker.step({&memory});
  note(worker, "read", memory, part, step, blocking);
  auto data = std::make_unique<Words>(part.count, 0xabababab);
  const auto first = memory.model.begin() + static_cast<std::ptrdiff_t>(part.first);
  Words expected = step.fails ? *data : Words(first, first + static_cast<std::ptrdiff_t>(part.count));
  worker.expect("the read", enqueue_read(step, memory, part, data->data(), blocking),
                blocking ? step.outcome() : CL_SUCCESS);
  if (blocking) compare(worker.place(), "what was read", data->data(), expected);
  worker.settle(step, {&memory}, std::move(data), std::move(expected));
}

void copy(Worker& worker) {
  Memory& from = worker.memory();
  Memory& to = worker.memory_beside(from);
  if (!from.svm != !to.svm) return;
  Part source = random_part(worker.random, from), target = random_part(worker.random, to);
  source.count = target.count = std::min(source.count, target.count);
  Step step = worker.step({&from, &to});
  note(worker, "copy", from, source, step, false);
  if (from.svm)
    worker.expect("clEnqueueSVMMemcpy",
                  clEnqueueSVMMemcpy(step.queue, CL_FALSE, to.svm + target.first, from.svm + source.first,
                                     source.bytes(), step.count(), step.list(), step.event.address()));
  else
    worker.expect("clEnqueueCopyBuffer",
                  clEnqueueCopyBuffer(step.queue, from.buffer, to.buffer, source.offset(), target.offset(),
                                      source.bytes(), step.count(), step.list(), step.event.address()));
  if (!step.fails)
    std::copy_n(from.model.begin() + static_cast<std::ptrdiff_t>(source.first), source.count,
                to.model.begin() + static_cast<std::ptrdiff_t>(target.first));
  worker.settle(step, {&from, &to});
}

void fill(Worker& worker) {
  Memory& memory = worker.memory();
  Part part = random_part(worker.random, memory);
  const std::size_t words = std::size_t{1} << worker.random.below(4); // in the pattern
  part.first -= part.first % words;
  part.count = std::min(part.count, memory.words() - part.first) / words * words;
  if (!part.count) return;
  const auto pattern = random_words(worker.random, words);
  Step step = worker.step({&memory});
  note(worker, "fill", memory, part, step, false);
  worker.expect(
      "the fill",
      memory.svm ? clEnqueueSVMMemFill(step.queue, memory.svm + part.first, pattern->data(), words * 4,
                                       part.bytes(), step.count(), step.list(), step.event.address())
                 : clEnqueueFillBuffer(step.queue, memory.buffer, pattern->data(), words * 4, part.offset(),
                                       part.bytes(), step.count(), step.list(), step.event.address()));
  for (std::size_t i = 0; i < part.count && !step.fails; ++i)
    memory.model[part.first + i] = (*pattern)[i % words];
  worker.settle(step, {&memory});
}

/// Looks at what is mapped, changes it, and unmaps it after the event of another queue.
void map(Worker& worker) {
  Memory& memory = worker.memory();
  if (memory.svm) return;
  const Part part = random_part(worker.random, memory);
  const bool blocking = worker.random.chance(50);
  Step step = worker.step({&memory});
  note(worker, "map", memory, part, step, blocking);
  cl_int error = CL_SUCCESS;
  auto* words = static_cast<std::uint32_t*>(
      clEnqueueMapBuffer(step.queue, memory.buffer, blocking, CL_MAP_READ | CL_MAP_WRITE, part.offset(),
                         part.bytes(), step.count(), step.list(), step.event.address(), &error));
  worker.expect("clEnqueueMapBuffer", error, blocking ? step.outcome() : CL_SUCCESS);
  if (error != CL_SUCCESS) return;
  cl_event mapped = step.event;
  worker.expect("clWaitForEvents", clWaitForEvents(1, &mapped), step.outcome());
  if (!step.fails) {
    const auto first = memory.model.begin() + static_cast<std::ptrdiff_t>(part.first);
    compare(worker.place(), "what is mapped", words,
            Words(first, first + static_cast<std::ptrdiff_t>(part.count)));
    for (std::size_t i = 0; i < part.count; i += worker.random.between(1, 50))
      words[i] = first[static_cast<std::ptrdiff_t>(i)] = worker.random.word();
  }
  const bool fails = step.fails;
  worker.settle(step, {&memory});
  if (fails) return;
  Step unmap = worker.step({&memory});
  while (unmap.fails) // a map that stays would be as long as the buffer
    unmap = worker.step({&memory});
  worker.expect("clEnqueueUnmapMemObject",
                clEnqueueUnmapMemObject(unmap.queue, memory.buffer, words, unmap.count(), unmap.list(),
                                        unmap.event.address()));
  worker.settle(unmap, {&memory});
}

/// The sub-buffer goes while its command is in flight.
void sub_buffer(Worker& worker) {
  Memory& memory = worker.memory();
  if (memory.svm || memory.words() < 64) return;
  Part part = random_part(worker.random, memory);
  part.first &= ~std::size_t{31}; // CL_DEVICE_MEM_BASE_ADDR_ALIGN is 1024 bits
  const cl_buffer_region region{part.offset(), part.bytes()};
  cl_int error = CL_SUCCESS;
  const test::Buffer sub(
      clCreateSubBuffer(memory.buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  worker.expect("clCreateSubBuffer", error);
  auto data = random_words(worker.random, part.count);
  Step step = worker.step({&memory});
  note(worker, "write to sub-buffer", memory, part, step, false);
  Words same = *data;
  worker.expect("clEnqueueWriteBuffer",
                clEnqueueWriteBuffer(step.queue, sub, CL_FALSE, 0, part.bytes(), data->data(), step.count(),
                                     step.list(), step.event.address()));
  if (!step.fails) std::ranges::copy(*data, memory.model.begin() + static_cast<std::ptrdiff_t>(part.first));
  worker.settle(step, {&memory}, std::move(data), std::move(same));
}

/// A rectangle of rows from the middle of host memory into the middle of a buffer.
void write_rect(Worker& worker) {
  Memory& memory = worker.memory();
  if (memory.svm || memory.words() < 16) return;
  const std::size_t pitch = worker.random.between(2, std::min<std::size_t>(memory.words() / 4, 50) + 1);
  const std::size_t rows = worker.random.between(1, memory.words() / pitch - 1);
  const std::size_t width = worker.random.between(1, pitch), x = worker.random.below(pitch - width + 1);
  auto data = random_words(worker.random, pitch * rows);
  Step step = worker.step({&memory});
  note(worker, "rectangle", memory, {x, rows * pitch}, step, false);
  Words same = *data;
  const std::size_t buffer_origin[] = {x * 4, 0, 0}, host_origin[] = {0, 0, 0},
                    region[] = {width * 4, rows, 1};
  worker.expect("clEnqueueWriteBufferRect",
                clEnqueueWriteBufferRect(step.queue, memory.buffer, CL_FALSE, buffer_origin, host_origin,
                                         region, pitch * 4, 0, pitch * 4, 0, data->data(), step.count(),
                                         step.list(), step.event.address()));
  for (std::size_t row = 0; row < rows && !step.fails; ++row)
    std::copy_n(data->data() + row * pitch, width, memory.model.data() + row * pitch + x);
  worker.settle(step, {&memory}, std::move(data), std::move(same));
}

constexpr Operation table[] = {
    {"write", 10, write},
    {"read", 12, read},
    {"copy", 8, copy},
    {"fill", 6, fill},
    {"map", 6, map},
    {"sub_buffer", 5, sub_buffer},
    {"rectangle", 4, write_rect},
};

} // namespace

std::span<const Operation> transfers() {
  return table;
}

} // namespace soak
