#pragma once

// The parameters of the functions that kernel-entry makes, as in abi::Entry.

namespace hostcl::compiler {

enum EntryParameter { launch, arguments, local_memory, context, first_group, last_group };

} // namespace hostcl::compiler
