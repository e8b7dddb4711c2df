#pragma once

// The address spaces, for functions that exist once for each of them. Language versions with the generic
// address space use the generic form alone, others the named ones; `constant` is never generic.

/// M(space) for the spaces that can be written, and for all.
#define FOR_EACH_WRITABLE_SPACE(M) M(__global) M(__local) M(__private) M(__generic)
#define FOR_EACH_SPACE(M) FOR_EACH_WRITABLE_SPACE(M) M(__constant)
