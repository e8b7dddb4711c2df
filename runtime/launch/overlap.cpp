#include "runtime/launch/overlap.hpp"

#include "runtime/memory/svm.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

namespace hostcl::runtime {

using compiler::ArgumentKind;

namespace {

/// Buffers that are compared with each other. Launches with more are taken to have some that overlap.
constexpr std::size_t most_buffers = 16;

/// The memory that a kernel may reach by a pointer. The application may have mapped its own more than once, at
/// different addresses.
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

/// A pointer that the application has computed may be of any place of the allocation. None begins where another one
/// ends (allocate_pages), so that a pointer to the end of one is of no other.
std::optional<Reach> reach_of(const std::byte* pointer, Replay replay) {
  if (!pointer) return Reach{};
  if (replay == Replay::later) return std::nullopt; // another allocation may have taken its place by then
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

/// Whether arguments of the kind are pointers to the compiler that are not compared.
bool is_unknown(ArgumentKind kind) {
  return kind == ArgumentKind::counter32 || kind == ArgumentKind::counter64 || kind == ArgumentKind::pipe ||
         kind == ArgumentKind::opaque;
}

} // namespace

bool buffers_are_apart(const compiler::KernelSignature& signature,
                       std::span<const Kernel::Argument> arguments, const std::byte* block, Replay replay) {
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
