#pragma once

// The memory that the arguments of a launch refer to.

#include "runtime/launch/launch_record.hpp"
#include "runtime/memory/image.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hostcl::runtime::capture {

/// Memory of one argument, or of several arguments that share bytes.
struct MemoryPart {
  std::uint64_t first = 0; ///< address of the first byte
  std::uint64_t bytes = 0; ///< without the padding between the rows of an image
  /// An image with storage of its own, whose texels are captured without padding; null for a range of bytes.
  const Image* image = nullptr;
  bool is_svm = false; ///< whether this is an allocation of SVM or USM, whose address the kernel may know
  std::vector<std::byte> before;

  /// A copy of the contents as they are now.
  std::vector<std::byte> contents() const;
};

/// What an argument refers to.
struct Referent {
  const Memory* memory = nullptr;      ///< null for an address, or for an argument that is no memory
  std::size_t part = none;             ///< index of a MemoryPart
  std::uint64_t offset = 0, bytes = 0; ///< of the argument's memory within the part
  static constexpr std::size_t none = ~std::size_t{0};
};

struct Contents {
  explicit Contents(const LaunchRecord& record);

  std::vector<MemoryPart> parts;
  std::vector<Referent> referents; ///< one for each argument
  /// Sentences that say what of the launch cannot be repeated.
  std::vector<std::string> unsupported;

  std::uint64_t bytes() const; ///< of all parts
  /// Copies the contents of all parts. Allocations of SVM or USM whose addresses are in a part or in the value of an
  /// argument become parts as well.
  /// @returns false if the parts have more bytes than `most`
  bool read(const LaunchRecord& record, std::uint64_t most);

private:
  struct Range {
    std::uint64_t first, bytes;
    bool is_svm;
  };
  void add(const LaunchRecord& record, std::size_t index, std::size_t& next_object);
  void add_memory(std::size_t index, const Memory& memory, std::uint64_t slot);
  void add_address(std::size_t index, std::uint64_t address);
  void merge_ranges();
  void place_in_parts();
  void add_allocations(std::span<const std::byte> pointers);

  std::vector<Range> ranges_;                ///< memory of buffers
  std::vector<std::uint64_t> own_addresses_; ///< of each argument: where its memory begins
};

} // namespace hostcl::runtime::capture
