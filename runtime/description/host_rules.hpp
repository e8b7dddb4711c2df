#pragma once

// Limits the answers of a description to what the host can do, by the rules of queries.inc.

#include "runtime/description/description.hpp"

namespace hostcl::runtime {

/// The answer that the device gives.
/// @param wanted the description's answer
/// @param host the host's answer to the same query
/// @param warnings gets a sentence if the device's answer is not `wanted`, except for partition types
AnswerBytes allowed_answer(const DeviceQuery& query, const AnswerBytes& wanted, const AnswerBytes& host,
                           std::vector<std::string>& warnings);

} // namespace hostcl::runtime
