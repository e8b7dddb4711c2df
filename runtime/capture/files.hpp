#pragma once

// Files of captured launches. Each function throws Unwritable if a file or folder cannot be written.

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace hostcl::runtime::capture {

/// The message names the file and says why it cannot be written.
class Unwritable : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Makes a new folder FOLDER/NAME, or FOLDER/NAME.2 and so on if an earlier run of the application has left folders.
/// Makes FOLDER as well if there is none. @returns the path of the new folder
std::string make_folder(const std::string& folder, const std::string& name);

/// Replaces the file in one step, so that a process that ends never leaves a part of a file.
void write_file(const std::string& file, std::string_view contents);
/// The same for a file in the format of Zstandard.
void write_compressed(const std::string& file, std::span<const std::byte> contents);

} // namespace hostcl::runtime::capture
