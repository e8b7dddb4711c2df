#pragma once

// Makes a failing case small: leaves statements out, takes loops and branches away from around their bodies,
// puts simpler expressions in place of others, and shrinks the range.

#include "differential/case.hpp"

#include <functional>

namespace differential {

using Fails = std::function<bool(const Case&)>;

/// A case that still fails, of which nothing more can be taken away alone.
Case reduce(Case failing, const Fails& fails);

} // namespace differential
