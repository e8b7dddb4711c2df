#pragma once

// Files that take their names when they are complete, so that a process that ends never leaves a part of a file, and no
// other process reads one.

#include <string>
#include <string_view>

namespace hostcl {

/// A file that is written under a name of its own, NAME.tmp.PROCESS, and replaces the file NAME at the end. Writes
/// raise no signal.
class NewFile {
public:
  explicit NewFile(const std::string& name);
  /// Removes the file if it is not complete.
  ~NewFile();
  NewFile(const NewFile&) = delete;

  void write(std::string_view bytes);
  /// Gives the file its name. @returns 0, or the errno value of the first step that has failed
  int finish();

private:
  const std::string name_, own_name_;
  int file_;
  int error_; ///< errno value of the first step that has failed
};

/// Replaces a file in one step. @returns 0, or an errno value
int replace_file(const std::string& name, std::string_view content);

} // namespace hostcl
