#pragma once

// The address spaces, for functions that exist once for each of them. In versions of the language with a
// generic address space, only the functions for generic pointers are used; in other versions, those for the
// named address spaces. `constant` is never generic.

/// M(space) for the spaces that can be written, and for all.
#define FOR_EACH_WRITABLE_SPACE(M) M(__global) M(__local) M(__private) M(__generic)
#define FOR_EACH_SPACE(M) FOR_EACH_WRITABLE_SPACE(M) M(__constant)
