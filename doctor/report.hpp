#pragma once

// What hostcl-doctor has found, as text and as JSON.

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace hostcl::doctor {

enum class Level {
  well,   ///< as it should be
  note,   ///< worth knowing: a setting that applies, a limit that is not reached
  problem ///< keeps applications from the device, or from what it can do
};

struct Finding {
  Level level;
  std::string name; ///< what kind of finding it is, for programs: "loader.none"
  std::string text;
  std::string remedy;         ///< of a problem
  llvm::json::Object facts{}; ///< for programs; the text has them in words
};

/// Findings by their subject, in the order in which they were made. They may contain any bytes: names of files and
/// what libraries of others say.
class Report {
public:
  void begin_section(std::string title);
  void well(std::string name, std::string text, llvm::json::Object facts = {});
  void note(std::string name, std::string text, llvm::json::Object facts = {});
  void problem(std::string name, std::string text, std::string remedy, llvm::json::Object facts = {});

  bool is_well() const;
  /// One line for each finding, and one at the end.
  void print_text(llvm::raw_ostream& stream) const;
  void print_json(llvm::raw_ostream& stream) const;

private:
  struct Section {
    std::string title;
    std::vector<Finding> findings;
  };
  void add(Finding finding);
  unsigned problems() const;

  std::vector<Section> sections_;
};

/// On one line, with escapes for what a terminal would not print, and of a bounded length.
std::string printable(llvm::StringRef bytes);

} // namespace hostcl::doctor
