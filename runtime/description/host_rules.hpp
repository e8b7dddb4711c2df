#pragma once

// What of a description's answer holds on the host: the rules of queries.inc.

#include "runtime/description/description.hpp"

namespace hostcl::runtime {

/// The part of `wanted` that holds, where `host` is the host's answer to the same query.
/// @param warnings gets a sentence if that is less than `wanted`
AnswerBytes allowed_answer(const DeviceQuery& query, const AnswerBytes& wanted, const AnswerBytes& host,
                           std::vector<std::string>& warnings);

} // namespace hostcl::runtime
