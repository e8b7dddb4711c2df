#pragma once

// Parameters of the functions that kernel-entry makes, which are those of abi::Entry.

namespace hostcl::compiler {

enum EntryParameter { launch, arguments, local_memory, context, first_group, last_group };

} // namespace hostcl::compiler
