#pragma once

// The fields of the classes that requests.hpp contains, for packing.hpp.

#include "compiler/code/machine_code.hpp"
#include "compiler/code/object_store.hpp"
#include "compiler/code/program_variables.hpp"
#include "compiler/code/variant.hpp"
#include "compiler/compiler.hpp"
#include "compiler/jobs/packing.hpp"
#include "compiler/noted_code.hpp"

#include "llvm/Support/MemoryBuffer.h"

#include <span>

namespace hostcl::compiler {

// --- The parts of a program

template <class Archive>
void fields(Archive& archive, KernelArgument& argument) {
  archive(argument.kind, argument.offset, argument.size, argument.alignment, argument.name,
          argument.type_name, argument.address_qualifier, argument.access_qualifier, argument.type_qualifier,
          argument.image_type, argument.is_depth_image);
}
template <class Archive>
void fields(Archive& archive, KernelSignature& signature) {
  archive(signature.name, signature.arguments, signature.has_argument_info, signature.attributes,
          signature.required_local_size, signature.local_size_hint, signature.required_sub_group_size,
          signature.argument_bytes, signature.static_local_bytes, signature.private_bytes,
          signature.instructions, signature.uniform_groups, signature.enqueues,
          signature.names_enqueue_errors);
}
template <class Archive>
void fields(Archive& archive, HostVariable& variable) {
  archive(variable.name, variable.symbol, variable.bytes, variable.access);
}
template <class Archive>
void fields(Archive& archive, ProgramParts& parts) {
  ProgramVariables& variables = parts.variables;
  archive(parts.signatures, parts.api_kernels, variables.program, variables.bytes, variables.initialisers,
          variables.finalisers, variables.named, variables.object);
}

// --- Machine code of a kernel

template <class Archive>
void fields(Archive& archive, ImageProperty& property) {
  archive(property.argument, property.is_small, property.order, property.type, property.sampler);
}
template <class Archive>
void fields(Archive& archive, Variant& variant) {
  archive(variant.dimensions, variant.uniform_groups, variant.single_item, variant.small_ids,
          variant.vector_dimension, variant.width_limit, variant.forced_width, variant.reversed,
          variant.multiple, variant.one_vector, variant.columns, variant.one_column_vector, variant.row,
          variant.one_row, variant.linearised_sub_groups, variant.partial_sub_groups, variant.tier0,
          variant.group_size_agnostic, variant.buffers_disjoint, variant.items_multiple);
}
template <class Archive>
void fields(Archive& archive, CodeProperties& code) {
  archive(code.static_local_bytes, code.context_bytes_fixed, code.context_bytes_per_chunk, code.width,
          code.vector_dimension, code.groups_merge, code.groups_split, code.may_trap, code.stack_bytes);
}
template <class Archive>
void fields(Archive& archive, FormulaStep& step) {
  archive(step.kind, step.value);
}
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
void fields(Archive& archive, OperationStatistics& work) {
  archive(work.loop, work.floats, work.doubles, work.divisions, work.integers);
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
void fields(Archive& archive, KernelObject& kernel) {
  archive(kernel.code_properties, kernel.notes.remark, kernel.notes.statistics);
  if constexpr (Archive::reads_members) {
    archive(std::span(kernel.object->getBufferStart(), kernel.object->getBufferSize()));
  } else {
    std::string bytes;
    archive(bytes);
    kernel.object = copied(bytes);
  }
}

} // namespace hostcl::compiler
