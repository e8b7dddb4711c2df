#include "runtime/capture/contents.hpp"

#include "runtime/memory/svm.hpp"
#include "runtime/support/result.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

namespace hostcl::runtime::capture {

using compiler::ArgumentKind;

namespace {

std::uint64_t number_of(const void* address) {
  return std::bit_cast<std::uint64_t>(address);
}

std::uint64_t slot_of(const LaunchRecord& record, const compiler::KernelArgument& argument) {
  std::uint64_t slot;
  std::memcpy(&slot, record.arguments() + argument.offset, sizeof(slot));
  return slot;
}

bool refers_to_memory(ArgumentKind kind) {
  switch (kind) {
  case ArgumentKind::global_pointer:
  case ArgumentKind::constant_pointer:
  case ArgumentKind::counter32:
  case ArgumentKind::counter64:
  case ArgumentKind::image:
  case ArgumentKind::pipe:
    return true;
  default:
    return false;
  }
}

/// Whether the argument's slot in the argument block refers to the object.
bool is_named_by(const Memory& memory, const compiler::KernelArgument& argument, std::uint64_t slot) {
  if (argument.kind == ArgumentKind::pipe) return memory.type() == CL_MEM_OBJECT_PIPE;
  if (argument.kind == ArgumentKind::image)
    return is_image_type(memory.type()) && number_of(&static_cast<const Image&>(memory).descriptor()) == slot;
  return memory.type() == CL_MEM_OBJECT_BUFFER && slot - number_of(memory.data()) < memory.size();
}

/// Whether the image has storage of its own, and not that of a buffer.
bool owns_texels(const Image& image) {
  return !image.parent() || image.parent()->type() != CL_MEM_OBJECT_BUFFER;
}

std::uint64_t packed_bytes(const Image& image) {
  const Rect rect = image.layout().rect_of_level(0);
  return std::uint64_t{rect.extent[0]} * rect.extent[1] * rect.extent[2];
}

} // namespace

std::vector<std::byte> MemoryPart::contents() const {
  const auto* data = std::bit_cast<const std::byte*>(first);
  if (!image) return {data, data + bytes};
  const Rect rect = image->layout().rect_of_level(0);
  std::vector<std::byte> texels(bytes);
  std::byte* to = texels.data();
  for (std::size_t z = 0; z < rect.extent[2]; ++z)
    for (std::size_t y = 0; y < rect.extent[1]; ++y, to += rect.extent[0])
      std::memcpy(to, data + rect.first + z * rect.slice_pitch + y * rect.row_pitch, rect.extent[0]);
  return texels;
}

Contents::Contents(const LaunchRecord& record) {
  const std::size_t count = record.signature().arguments.size();
  referents.resize(count);
  own_addresses_.resize(count);
  std::size_t next_object = 0;
  for (std::size_t i = 0; i < count; ++i)
    add(record, i, next_object);
  const auto objects = record.objects_held();
  if (std::any_of(objects.begin() + static_cast<std::ptrdiff_t>(next_object), objects.end(),
                  [](const Object* object) { return object->is_live(Kind::memory); }))
    unsupported.emplace_back(
        "pointers inside memory: the kernel uses buffers by addresses that are not arguments "
        "(CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT)");
  merge_ranges();
  place_in_parts();
}

/// @param next_object the first object of the record that belongs to this argument or to a later one: a record holds
/// the objects in the order of the arguments
void Contents::add(const LaunchRecord& record, std::size_t index, std::size_t& next_object) {
  const compiler::KernelArgument& argument = record.signature().arguments[index];
  if (!refers_to_memory(argument.kind)) return;
  const std::uint64_t slot = slot_of(record, argument);
  const auto objects = record.objects_held();
  for (std::size_t i = next_object; slot && i < objects.size(); ++i) {
    if (!objects[i]->is_live(Kind::memory)) continue;
    const auto& memory = static_cast<const Memory&>(*objects[i]);
    if (!is_named_by(memory, argument, slot)) continue;
    next_object = i + 1;
    return add_memory(index, memory, slot);
  }
  if (slot) add_address(index, slot);
}

/// @param slot of the argument block; it points into a buffer, and not always to its first byte, if the application has
/// set the argument by an address
void Contents::add_memory(std::size_t index, const Memory& memory, std::uint64_t slot) {
  Referent& referent = referents[index];
  const std::uint64_t first = number_of(memory.data());
  referent.memory = &memory;
  referent.bytes = memory.size();
  own_addresses_[index] = first;
  if (memory.type() == CL_MEM_OBJECT_PIPE) {
    unsupported.push_back(text("argument ", index, " is a pipe"));
    return;
  }
  if (memory.type() != CL_MEM_OBJECT_BUFFER) {
    const auto& image = static_cast<const Image&>(memory);
    if (image.layout().is_mipmapped())
      unsupported.push_back(text("argument ", index, " is a mipmapped image"));
    referent.bytes = owns_texels(image) ? packed_bytes(image) : image.layout().bytes();
    if (owns_texels(image)) {
      const auto known = std::ranges::find(parts, &image, &MemoryPart::image);
      referent.part = static_cast<std::size_t>(known - parts.begin());
      if (known == parts.end())
        parts.push_back({number_of(image.data()), referent.bytes, &image, /*is_svm=*/false, {}});
      return;
    }
  }
  ranges_.push_back({first, referent.bytes, /*is_svm=*/false});
  if (memory.type() != CL_MEM_OBJECT_BUFFER) return;
  own_addresses_[index] = slot;
  referent.bytes -= slot - first;
}

/// An argument that the application has set by an address: the whole allocation may be accessed.
void Contents::add_address(std::size_t index, std::uint64_t address) {
  const auto allocation = Allocations::instance().bytes_around(std::bit_cast<const void*>(address));
  if (allocation.empty()) {
    unsupported.push_back(
        text("argument ", index, " points to memory of unknown size, which OpenCL has not allocated"));
    return;
  }
  own_addresses_[index] = address;
  referents[index].bytes = number_of(allocation.data()) + allocation.size() - address;
  ranges_.push_back({number_of(allocation.data()), allocation.size(), /*is_svm=*/true});
}

/// Makes one part of ranges that share bytes, so that they share these bytes again when the launch is repeated.
void Contents::merge_ranges() {
  std::ranges::sort(ranges_, {}, &Range::first);
  std::optional<std::size_t> last;
  for (const Range& range : ranges_) {
    if (last && range.first < parts[*last].first + parts[*last].bytes) {
      MemoryPart& part = parts[*last];
      part.bytes = std::max(part.bytes, range.first + range.bytes - part.first);
      part.is_svm |= range.is_svm;
      continue;
    }
    last = parts.size();
    parts.push_back({range.first, range.bytes, nullptr, range.is_svm, {}});
  }
  for (const MemoryPart& image : parts)
    for (const MemoryPart& other : parts)
      if (image.image && &image != &other && other.first < image.first + image.image->layout().bytes() &&
          image.first < other.first + other.bytes && (!other.image || &image < &other))
        unsupported.emplace_back("an image shares memory with another argument");
}

void Contents::place_in_parts() {
  for (std::size_t i = 0; i < referents.size(); ++i) {
    if (!own_addresses_[i] || referents[i].part != Referent::none) continue;
    for (std::size_t part = 0; part < parts.size(); ++part) {
      if (parts[part].image || own_addresses_[i] - parts[part].first >= parts[part].bytes) continue;
      referents[i].part = part;
      referents[i].offset = own_addresses_[i] - parts[part].first;
    }
  }
}

std::uint64_t Contents::bytes() const {
  std::uint64_t total = 0;
  for (const MemoryPart& part : parts)
    total += part.bytes;
  return total;
}

bool Contents::read(const LaunchRecord& record, std::uint64_t most) {
  for (const compiler::KernelArgument& argument : record.signature().arguments)
    if (argument.kind == ArgumentKind::value)
      add_allocations({record.arguments() + argument.offset, argument.size});
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (bytes() > most) return false;
    parts[i].before = parts[i].contents();
    if (!parts[i].image) add_allocations(parts[i].before);
  }
  return true;
}

/// Adds the allocations to which aligned words point, if they are not parts yet.
void Contents::add_allocations(std::span<const std::byte> pointers) {
  auto& allocations = Allocations::instance();
  const auto extent = allocations.extent();
  if (extent.empty()) return;
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= pointers.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, pointers.data() + at, sizeof(word));
    if (word - number_of(extent.data()) >= extent.size()) continue;
    const auto found = allocations.bytes_around(std::bit_cast<const void*>(word));
    const std::uint64_t first = number_of(found.data());
    const auto contains_it = [&](const MemoryPart& part) { return word - part.first < part.bytes; };
    if (found.empty() || std::ranges::any_of(parts, contains_it)) continue;
    if (std::ranges::any_of(parts, [&](const MemoryPart& part) {
          return part.first < first + found.size() && first < part.first + part.bytes;
        })) {
      unsupported.emplace_back(
          "pointers inside memory: one points to an allocation of which an argument is a part");
      return;
    }
    parts.push_back({first, found.size(), nullptr, /*is_svm=*/true, {}});
  }
}

} // namespace hostcl::runtime::capture
