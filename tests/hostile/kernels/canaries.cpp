#include "hostile/kernels/canaries.hpp"

#include "hostile/kernels/guest_context.hpp"

#include <CL/cl.h>

#include <cstdlib>

#include <sys/mman.h>

namespace test {

namespace {

constexpr std::size_t page_words = 16 * 4096 / sizeof(std::uint64_t);
std::array<std::uint64_t, 1024> static_words;

std::uint64_t pattern(std::size_t index) {
  return 0x0123'4567'89ab'cdef * (index + 1);
}

} // namespace

Canaries::Canaries() {
  pages_ = mmap(nullptr, page_words * sizeof(std::uint64_t), PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  require(pages_ != MAP_FAILED, "mmap");
  blocks_ = {{"an array on the stack", on_stack_},
             {"static variables", static_words},
             {"mapped pages", {static_cast<std::uint64_t*>(pages_), page_words}}};
  for (const std::size_t words : {4, 16, 500, 5'000, 50'000})
    heap_.emplace_back(words);
  for (std::vector<std::uint64_t>& block : heap_)
    blocks_.push_back({"a heap block", block});
  for (const Block& block : blocks_)
    for (std::size_t i = 0; i < block.words.size(); ++i)
      block.words[i] = pattern(i);
}

Canaries::~Canaries() {
  munmap(pages_, page_words * sizeof(std::uint64_t));
}

std::uint64_t Canaries::address(Random& random) const {
  const void* other = &random;
  switch (random.below(8)) {
  case 0:
    return reinterpret_cast<std::uint64_t>(other);
  case 1:
    return reinterpret_cast<std::uint64_t>(&std::malloc);
  case 2:
    return reinterpret_cast<std::uint64_t>(&pattern);
  case 3:
    return reinterpret_cast<std::uint64_t>(&clReleaseContext);
  default: {
    const Block& block = blocks_[random.below(blocks_.size())];
    return reinterpret_cast<std::uint64_t>(&block.words[random.below(block.words.size())]);
  }
  }
}

std::string Canaries::changed() const {
  for (const Block& block : blocks_)
    for (std::size_t i = 0; i < block.words.size(); ++i)
      if (block.words[i] != pattern(i))
        return std::string(block.name) + ", word " + std::to_string(i) + ": " +
               std::to_string(block.words[i]);
  return {};
}

} // namespace test
