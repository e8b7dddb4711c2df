#include "compiler/server/kernel_notes.hpp"

#include "compiler/server/message.hpp"

namespace hostcl::compiler {

template <class Archive>
void fields(Archive& archive, LoopInsight& loop) {
  archive(loop.outer, loop.line, loop.iterations);
}
template <class Archive>
void fields(Archive& archive, AccessInsight& access) {
  archive(access.line, access.loop, access.argument, access.bytes, access.space, access.is_write,
          access.is_atomic, access.is_conditional, access.from_memory, access.stays, access.often,
          access.strides[0], access.strides[1], access.step);
}
template <class Archive>
void fields(Archive& archive, LineText& line) {
  archive(line.line, line.text);
}
template <class Archive>
void fields(Archive& archive, KernelInsight& insight) {
  archive(insight.line, insight.loops, insight.accesses, insight.work, insight.widened, insight.barriers,
          insight.is_conditional, insight.source);
}
template <class Archive>
void fields(Archive& archive, KernelNotes& notes) {
  archive(notes.remark, notes.insight);
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
