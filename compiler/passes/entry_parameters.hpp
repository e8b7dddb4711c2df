#pragma once

namespace hostcl::compiler {

/// Parameters of the entry functions.
enum EntryParameter { launch, arguments, local_memory, context, first_group, last_group };

} // namespace hostcl::compiler
