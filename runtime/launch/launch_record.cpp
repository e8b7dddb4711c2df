#include "runtime/launch/launch_record.hpp"

#include "runtime/object/deferred_releases.hpp"

#include <bit>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

namespace hostcl::runtime {

using compiler::ArgumentKind;

namespace {

constexpr std::align_val_t block_alignment{abi::scratch_alignment};

} // namespace

bool is_placed_by_run(ArgumentKind kind) {
  return kind == ArgumentKind::local_pointer || kind == ArgumentKind::counter32 ||
         kind == ArgumentKind::counter64;
}

ArgumentBlock::ArgumentBlock(std::size_t bytes) {
  if (bytes > inline_bytes) large_ = static_cast<std::byte*>(::operator new(bytes, block_alignment));
}

ArgumentBlock::~ArgumentBlock() {
  if (large_) ::operator delete(large_, block_alignment);
}

LaunchRecord::LaunchRecord(const Kernel::Code& code, const abi::NDRange& range, Kernel& owner)
    : RunnableLaunch(code.kernel, range),
      block_(checks::block_bytes(signature().argument_bytes, signature().arguments.size())),
      owner_(Ref<Kernel>(owner)),
      program_(code.program.get()) {
  arguments_ = block_.data();
}

LaunchRecord::LaunchRecord(Kernel& kernel, const Kernel::Code& code, const abi::NDRange& range, Replay replay)
    : LaunchRecord(code, range, kernel) {
  {
    std::scoped_lock guard(kernel.lock());
    copy(kernel.arguments(), replay);
  }
  if (is_valid()) kernel_ = &kernel_->for_images(arguments());
}

LaunchRecord::LaunchRecord(const LaunchRecord& other, const Kernel::Code& code, const abi::NDRange& range)
    : LaunchRecord(code, range, *other.owner_) {
  released_argument_ = other.released_argument_;
  has_placed_arguments_ = other.has_placed_arguments_;
  range_.buffers_disjoint = other.range_.buffers_disjoint;
  std::memcpy(block_.data(), other.arguments(),
              checks::block_bytes(signature().argument_bytes, signature().arguments.size()));
  if (is_valid()) kernel_ = &kernel_->for_images(arguments());
  if (other.reference_count_ > inline_references)
    more_references_ = std::make_unique<Object*[]>(other.reference_count_);
  for (std::uint32_t i = 0; i < other.reference_count_; ++i) {
    references()[i] = other.references()[i];
    references()[i]->retain();
  }
  reference_count_ = other.reference_count_;
}

LaunchRecord::~LaunchRecord() {
  for (std::uint32_t i = 0; i < reference_count_; ++i)
    DeferredReleases::release(*references()[i]);
  DeferredReleases::release(*owner_.detach());
}

Status LaunchRecord::check_memory(const Device& device) const {
  for (const Object* object : std::span(references(), reference_count_))
    if (object->is_live(Kind::memory)) TRY(validate::usable_on(device, static_cast<const Memory&>(*object)));
  return {};
}

std::uint64_t LaunchRecord::local_bytes() const {
  std::uint64_t bytes = signature().static_local_bytes;
  for (const compiler::KernelArgument& argument : signature().arguments) {
    if (argument.kind != ArgumentKind::local_pointer) continue;
    std::uint64_t size;
    std::memcpy(&size, arguments() + argument.offset, sizeof(size));
    if (__builtin_add_overflow(bytes, size, &bytes)) return ~std::uint64_t{0};
  }
  return bytes;
}

void LaunchRecord::copy(const Kernel::Snapshot& kernel, Replay replay) {
  const auto& [source, arguments, reached] = kernel;
  if (const std::size_t most = arguments.size() + reached.size(); most > inline_references)
    more_references_ = std::make_unique<Object*[]>(most);
  if (!source.empty()) std::memcpy(block_.data(), source.data(), source.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const compiler::KernelArgument& argument = signature().arguments[i];
    if (arguments[i].memory && !hold(arguments[i].memory) && !arguments[i].may_be_gone)
      released_argument_ = static_cast<std::uint32_t>(i);
    if (arguments[i].queue && !hold(*arguments[i].queue)) released_argument_ = static_cast<std::uint32_t>(i);
    if (argument.kind == ArgumentKind::local_pointer) {
      const std::uint64_t bytes = arguments[i].local_bytes;
      std::memcpy(block_.data() + argument.offset, &bytes, sizeof(bytes));
    }
    has_placed_arguments_ |= is_placed_by_run(argument.kind);
  }
  for (const WeakMemory& buffer : reached)
    hold(buffer);
  range_.buffers_disjoint =
      kernel_->gains_if_disjoint() && buffers_are_disjoint(signature(), arguments, block_.data(), replay);
  if (!objects()) [[likely]]
    return;
  checks::find_objects(signature(), block_.data());
  note_buffers(arguments);
}

/// The bounds of a buffer as seen from an address inside of it, and what kernels may do with the buffer.
static checks::UsableObject object_of(const Memory& buffer, std::uint64_t address) {
  return {checks::object_from(address, std::bit_cast<std::uint64_t>(buffer.data()), buffer.size()),
          !(buffer.flags() & CL_MEM_WRITE_ONLY), !(buffer.flags() & CL_MEM_READ_ONLY)};
}

/// Sets the bounds of arguments that are buffers from their sizes. find_objects() has set them by address,
/// which for a sub-buffer finds the whole buffer.
void LaunchRecord::note_buffers(std::span<const Kernel::Argument> arguments) {
  abi::CheckedObject* objects = checks::objects_in(block_.data(), signature().argument_bytes);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].memory || signature().arguments[i].kind == ArgumentKind::image) continue;
    Memory* memory = arguments[i].memory.hold_slot();
    if (!memory) continue;
    std::uint64_t address;
    std::memcpy(&address, arguments_ + signature().arguments[i].offset, sizeof(address));
    if (arguments[i].memory.is_live() && memory->type() == CL_MEM_OBJECT_BUFFER)
      checks::set_object(objects, arguments.size(), i, object_of(*memory, address));
    memory->release();
  }
}

/// Takes a reference to the object that is in the buffer's slot. @returns whether that is still the buffer.
/// If not, the object is held nevertheless and released by the destructor: a release under a lock could
/// destroy the object there.
bool LaunchRecord::hold(const WeakMemory& buffer) {
  Memory* held = buffer.hold_slot();
  if (!held) return false;
  references()[reference_count_++] = held;
  return buffer.is_live();
}

/// The same for a device queue, whose slot may have another object by now.
bool LaunchRecord::hold(DeviceQueue& queue) {
  if (!queue.try_retain()) return false;
  references()[reference_count_++] = &queue;
  return queue.is_live(DeviceQueue::kind);
}

} // namespace hostcl::runtime
