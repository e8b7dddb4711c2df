#include "runtime/launch/overlap.hpp"

#include "runtime/memory/svm.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

namespace hostcl::runtime {

using compiler::ArgumentKind;

namespace {

/// At most this many pointers are compared. The buffers of a launch with more pointers count as overlapping.
constexpr std::size_t most_buffers = 16;

/// The memory that a kernel may access through a pointer. Two buffers in memory of the application may share
/// bytes at different addresses, because the application may have mapped the same memory twice.
struct Reach {
  const std::byte *first = nullptr, *end = nullptr;
  bool is_of_application = false;

  bool meets(const Reach& other) const {
    return (first < other.end && other.first < end) || (is_of_application && other.is_of_application);
  }
};

std::optional<Reach> reach_of(const Memory& memory) {
  if (memory.type() != CL_MEM_OBJECT_BUFFER) return std::nullopt;
  const Memory& storage = memory.storage();
  return Reach{memory.data(), memory.data() + memory.size(),
               storage.external() || (storage.flags() & CL_MEM_USE_HOST_PTR)};
}

/// The application may have computed the pointer, which may point to any byte of its allocation. So the whole
/// allocation counts. No allocation begins at the end of another one (allocate_pages()), so a pointer to the end of an
/// allocation never points to another allocation.
std::optional<Reach> reach_of(const std::byte* pointer, Replay replay) {
  if (!pointer) return Reach{};
  if (replay == Replay::later) return std::nullopt; // by then, another allocation may be at this address
  const auto bytes = Allocations::instance().bytes_around(pointer);
  if (bytes.empty()) return std::nullopt;
  return Reach{bytes.data(), bytes.data() + bytes.size()};
}

std::optional<Reach> reach_of(const Kernel::Argument& argument, const std::byte* slot, Replay replay) {
  if (argument.memory) {
    if (argument.may_be_gone || !argument.memory.is_live()) return std::nullopt;
    return reach_of(argument.memory.held());
  }
  const std::byte* pointer;
  std::memcpy(&pointer, slot, sizeof(pointer));
  return reach_of(pointer, replay);
}

bool is_pointer(ArgumentKind kind) {
  return kind == ArgumentKind::global_pointer || kind == ArgumentKind::constant_pointer;
}

/// Whether arguments of this kind are pointers for the compiler, but have no range that could be compared.
bool is_unknown(ArgumentKind kind) {
  return kind == ArgumentKind::counter32 || kind == ArgumentKind::counter64 || kind == ArgumentKind::pipe ||
         kind == ArgumentKind::opaque;
}

} // namespace

bool buffers_are_disjoint(const compiler::KernelSignature& signature,
                          std::span<const Kernel::Argument> arguments, const std::byte* block,
                          Replay replay) {
  std::array<Reach, most_buffers> known;
  std::size_t count = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const compiler::KernelArgument& argument = signature.arguments[i];
    if (is_unknown(argument.kind)) return false;
    if (!is_pointer(argument.kind)) continue;
    const auto reach = reach_of(arguments[i], block + argument.offset, replay);
    const auto others = std::span(known).first(count);
    if (!reach || count == most_buffers ||
        std::ranges::any_of(others, [&](const Reach& other) { return other.meets(*reach); }))
      return false;
    known[count++] = *reach;
  }
  return true;
}

} // namespace hostcl::runtime
