#pragma once

// The metadata of kernels, in the form in which clang writes it.

namespace hostcl::compiler::spirv {

class Reader;

/// Writes the metadata of each entry point: required sizes, arguments, further entry points with the same
/// function.
void describe_kernels(Reader& reader);

} // namespace hostcl::compiler::spirv
