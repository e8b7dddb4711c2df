#pragma once

// What a kernel's metadata says of it, in the form in which clang writes it.

namespace hostcl::compiler::spirv {

class Reader;

/// Describes every entry point: sizes that it requires, arguments, further entry points of the same function.
void describe_kernels(Reader& reader);

} // namespace hostcl::compiler::spirv
