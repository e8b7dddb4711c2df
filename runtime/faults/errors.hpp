#pragma once

// Which errors the specification allows a function of the API to return (errors.inc).

#include "runtime/support/cl.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace hostcl::runtime::faults {

/// Whether a name matches a pattern, in which `*` stands for any characters, also for none.
bool matches(std::string_view pattern, std::string_view name);

/// The code of an error's name; no value if errors.inc does not have the name.
std::optional<cl_int> code_of(std::string_view error);
/// The name of an error; empty if errors.inc does not have the code.
std::string_view name_of(cl_int code);

/// Whether the specification says that the function may return the error. True for functions whose errors the
/// specification does not list.
bool may_return(std::string_view function, cl_int code);
/// The names of the errors that the function may return, with commas between them.
std::string errors_of(std::string_view function);
/// The error that the function usually returns on a device with too little memory or other resources.
cl_int usual_error(std::string_view function);

} // namespace hostcl::runtime::faults
