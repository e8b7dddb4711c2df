#pragma once

// The metadata of kernels, in the form in which clang writes it.

namespace hostcl::compiler::spirv {

class Reader;

/// Makes a kernel function for each entry point, and writes the kernel's metadata (required sizes,
/// arguments). If several entry points name one function, each further entry point gets a copy of the
/// function. If another function calls an entry point, the call is redirected to a copy of the entry point.
void describe_kernels(Reader& reader);

} // namespace hostcl::compiler::spirv
