#pragma once

// Coverage data of a translation unit (HOSTCL_COVERAGE): clang counts executions and describes which part of the source
// each counter belongs to.

#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace hostcl::compiler {

struct CompileRequest;

/// The names by which coverage data refer to a program that is given as strings. Paths of files that the program
/// includes from the disk are absolute.
struct CoverageNames {
  explicit CoverageNames(const CompileRequest& request);

  /// Path of the source in the compiler's files in memory. Coverage data have only the name of the file, which is the
  /// hash of the source and `.cl`.
  std::string source_path() const;
  /// Arguments for clang's front end.
  /// @param headers_folder the folder in memory with the application's headers
  std::vector<std::string> arguments(const std::string& headers_folder) const;

  std::string source; ///< name of the source's file
  /// Folder of the application's headers: a hash of the source, the headers and the build options.
  std::string headers;
};

/// Moves the data that clang has added to a module for coverage to the named metadata metadata::coverage_data, and
/// gives the functions names that no other build has: with a hash of the source, the headers, the build options and
/// the data.
void keep_coverage_data(llvm::Module& module, const CoverageNames& names, const CompileRequest& request);

} // namespace hostcl::compiler
