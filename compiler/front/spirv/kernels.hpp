#pragma once

// The metadata of kernels, in the form in which clang writes it.

namespace hostcl::compiler::spirv {

class Reader;

/// Makes a kernel function for each entry point, and writes the kernel's metadata (required sizes,
/// arguments). If several entry points name one function, each further entry point gets a copy of the
/// function. If other functions call an entry point, a copy of it is called instead.
void describe_kernels(Reader& reader);

} // namespace hostcl::compiler::spirv
