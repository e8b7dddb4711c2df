#include "compiler/server/kernel_notes.hpp"

#include "compiler/server/message.hpp"

namespace hostcl::compiler {

template <class Archive>
void fields(Archive& archive, LoopStatistics& loop) {
  archive(loop.outer, loop.line, loop.iterations);
}
template <class Archive>
void fields(Archive& archive, AccessStatistics& access) {
  archive(access.line, access.loop, access.argument, access.bytes, access.space, access.is_write,
          access.is_atomic, access.is_conditional, access.from_memory, access.stays, access.often,
          access.strides[0], access.strides[1], access.step);
}
template <class Archive>
void fields(Archive& archive, LineText& line) {
  archive(line.line, line.text);
}
template <class Archive>
void fields(Archive& archive, KernelStatistics& statistics) {
  archive(statistics.line, statistics.loops, statistics.accesses, statistics.work, statistics.widened,
          statistics.barriers, statistics.is_conditional, statistics.source);
}
template <class Archive>
void fields(Archive& archive, KernelNotes& notes) {
  archive(notes.remark, notes.statistics);
}

std::vector<std::byte> packed(const KernelNotes& notes) {
  Packer pack;
  pack(notes);
  return {pack.bytes().begin(), pack.bytes().end()};
}

KernelNotes unpacked_notes(std::span<const std::byte> bytes) {
  KernelNotes notes;
  Unpacker unpack(bytes);
  unpack(notes);
  return unpack.is_complete() ? std::move(notes) : KernelNotes();
}

} // namespace hostcl::compiler
