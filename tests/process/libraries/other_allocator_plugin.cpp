// A library of an application that brings an allocator, as oneTBB's malloc proxy is one: operator new and delete as of
// C++98, whose memory no other allocator can take back. It is loaded before the C++ library, which finds them first.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

namespace {

/// In front of each block. The memory after it is nothing that free() knows.
struct alignas(16) Header {
  std::uint64_t mark;
  std::uint64_t unused;
};
constexpr std::uint64_t mark = 0x616c6c6f6361746f;

void* take(std::size_t bytes) {
  auto* header = static_cast<Header*>(std::malloc(sizeof(Header) + bytes));
  if (!header) std::abort();
  header->mark = mark;
  return header + 1;
}

void give_back(void* memory) {
  if (!memory) return;
  Header* header = static_cast<Header*>(memory) - 1;
  if (header->mark != mark) {
    std::fprintf(stderr, "memory of another allocator was given back to this one\n");
    std::abort();
  }
  header->mark = 0;
  std::free(header);
}

} // namespace

#define EXPORT __attribute__((visibility("default")))

EXPORT void* operator new(std::size_t bytes) {
  return take(bytes);
}
EXPORT void* operator new[](std::size_t bytes) {
  return take(bytes);
}
EXPORT void operator delete(void* memory) noexcept {
  give_back(memory);
}
EXPORT void operator delete[](void* memory) noexcept {
  give_back(memory);
}

/// 1 if the C++ library's strings are made with the operators above.
extern "C" EXPORT int uses_its_allocator() {
  const std::string made(100, 'x');
  const auto* header = reinterpret_cast<const Header*>(made.data()) - 1;
  return header->mark == mark;
}
