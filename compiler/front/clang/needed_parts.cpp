// needed_parts_note(), which compiler/front/clang/frontend.hpp declares. clang's own messages often do not name what is
// missing: a call of a missing built-in function is reported as an undeclared identifier.

#include "compiler/front/clang/frontend.hpp"
#include "compiler/front/clang/options.hpp"
#include "compiler/jobs/program_requests.hpp"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <memory>
#include <ranges>

namespace hostcl::compiler {

namespace {

using Names = std::vector<std::string>;

/// Compiles a program for devices that lack fewer extensions and features than the program's device.
class Trials {
public:
  Trials(const CompileRequest& request, const Options& options) : request_(request), options_(options) {}

  bool compiles_without(Names lacks) const {
    Settings settings = *request_.settings;
    settings.language.lacks = std::move(lacks);
    CompileRequest trial = request_;
    trial.settings = std::make_shared<const Settings>(std::move(settings));
    llvm::LLVMContext context;
    return run_frontend(context, trial, options_).module != nullptr;
  }

private:
  const CompileRequest& request_;
  const Options& options_;
};

/// The index of a name that the program needs: the program compiles for a device that lacks the names after the index,
/// and not for a device that lacks the name at the index as well.
/// @param lacks names such that the program does not compile for a device that lacks all of them
std::size_t last_needed(const Trials& trials, const Names& lacks) {
  // Invariant: the program compiles without lacks[high..], and does not compile without lacks[low..].
  std::size_t low = 0, high = lacks.size();
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    if (trials.compiles_without({lacks.begin() + static_cast<std::ptrdiff_t>(middle), lacks.end()}))
      high = middle;
    else
      low = middle;
  }
  return low;
}

} // namespace

std::string needed_parts_note(const CompileRequest& request, const Options& options) {
  const Language& language = request.settings->language;
  const Trials trials(request, options);
  Names lacks = language.lacks;
  if (lacks.empty() || !trials.compiles_without({})) return {};
  Names needed;
  while (!trials.compiles_without(lacks)) {
    const auto found = lacks.begin() + static_cast<std::ptrdiff_t>(last_needed(trials, lacks));
    needed.push_back(std::move(*found));
    lacks.erase(found);
  }
  std::string note = "note: the program needs ";
  for (const std::string& name : std::views::reverse(needed))
    note.append(&name == &needed.back() ? "" : ", ").append(name);
  return note + ", which " + described_device(language) + " lacks\n";
}

} // namespace hostcl::compiler
