#include "runtime/checks/checked_objects.hpp"

#include "runtime/checks/live_objects.hpp"
#include "runtime/support/enabled_checks.hpp"

#include <cstring>

namespace hostcl::runtime::checks {

namespace {

using compiler::ArgumentKind;

UsableObject object_of(const compiler::KernelArgument& argument, const std::byte* arguments) {
  std::uint64_t slot;
  switch (argument.kind) {
  case ArgumentKind::global_pointer:
  case ArgumentKind::constant_pointer:
    std::memcpy(&slot, arguments + argument.offset, sizeof(slot));
    return object_at(slot);
  case ArgumentKind::local_pointer:
    std::memcpy(&slot, arguments + argument.offset, sizeof(slot));
    return {{0, slot}};
  default:
    return {anywhere};
  }
}

} // namespace

UsableObject object_at(std::uint64_t address) {
  if (address < null_bytes) return {{0, 0}};
  const LiveObject object = LiveObjects::instance().find(address);
  if (object.number == 0) return {anywhere};
  return {object_from(address, object.first, object.bytes), !object.is_released, !object.is_released};
}

void set_object(abi::CheckedObject* objects, std::size_t count, std::size_t argument,
                const UsableObject& object) {
  const std::uint64_t size = object.object.size;
  objects[argument] = object.object;
  objects[count + argument] = {object.may_read ? static_cast<std::int64_t>(size) : 0,
                               object.may_write ? size : 0};
}

UsableObject object_in(const abi::CheckedObject* objects, std::size_t count, std::size_t argument) {
  const abi::CheckedObject& use = objects[count + argument];
  return {objects[argument], use.low != 0, use.size != 0};
}

std::size_t block_bytes(std::size_t argument_bytes, std::size_t count) {
  return checks::has_checks() ? first_object(argument_bytes) + 2 * count * sizeof(abi::CheckedObject)
                              : argument_bytes;
}

void find_objects(const compiler::KernelSignature& signature, std::byte* block) {
  abi::CheckedObject* objects = objects_in(block, signature.argument_bytes);
  for (std::size_t i = 0; objects && i < signature.arguments.size(); ++i)
    set_object(objects, signature.arguments.size(), i, object_of(signature.arguments[i], block));
}

} // namespace hostcl::runtime::checks
