#pragma once

// Runs the models of a piece of the driver's code (model.hpp), and its mutants: a program without arguments prints a line
// for each. It fails if a model fails, or if a mutant survives that is not listed as an exception. With the argument
// `as-is` it prints the interleaving in which a model fails; with a number, the one in which this mutant fails.

#include "tests/order/model.hpp"

namespace model {

struct Case {
  const char* name;
  const char* search; ///< how interleavings are chosen, in words
  std::uint64_t interleavings;
  rl::test_result_e (*run)(rl::test_params& params);
  rl::test_params params;
};

template <class M, class Scheduler>
rl::test_result_e run(rl::test_params& params) {
  std::ostringstream state;
  const rl::test_result_e result = rl::run_test<M, Scheduler>(params, state, false);
  params.initial_state = state.str(); // from which show() repeats the interleaving that failed
  return result;
}

/// All interleavings. @param interleavings the least number that must be tried
template <class M>
Case all_of(const char* name, std::uint64_t interleavings) {
  Case made{name, "all", interleavings, run<M, rl::full_search_scheduler<M::params::thread_count>>, {}};
  made.params.search_type = rl::fair_full_search_scheduler_type;
  return made;
}

/// The interleavings with at most `switches` switches from a thread that could go on.
template <class M>
Case bounded(const char* name, unsigned switches, std::uint64_t interleavings) {
  static const char* const texts[] = {"", "1 switch", "2 switches", "3 switches", "4 switches", "5 switches"};
  Case made{
      name, texts[switches], interleavings, run<M, rl::context_bound_scheduler<M::params::thread_count>>, {}};
  made.params.search_type = rl::fair_context_bound_scheduler_type;
  made.params.context_bound = switches;
  return made;
}

/// Random interleavings, always the same ones. Loads may also return values that are several stores old.
template <class M>
Case random(const char* name, std::uint64_t interleavings) {
  Case made{name, "random", interleavings, run<M, rl::random_scheduler<M::params::thread_count>>, {}};
  made.params.search_type = rl::random_scheduler_type;
  made.params.iteration_count = interleavings;
  return made;
}

/// A mutant with which no model fails, and the reason.
struct Exception {
  const char* line;       ///< part of the source line
  rl::memory_order order; ///< the weakest order that survives
  const char* reason;
};

/// Runs the models of a piece, and its mutants.
class Piece {
public:
  /// @param files the files, by the end of their paths, whose orders are weakened
  Piece(const char* name, std::vector<const char*> files, std::vector<Case> cases,
        std::vector<Exception> exceptions = {})
      : name_(name), files_(std::move(files)), cases_(std::move(cases)), exceptions_(std::move(exceptions)) {}

  /// @param arguments nothing; or the number of a mutant, whose failing interleaving is printed, or `as-is`
  int run(int count, char** arguments) {
    if (count > 1) return show(arguments[1]);
    std::printf("%s\n", name_);
    const auto begin = std::chrono::steady_clock::now();
    for (const Case& c : cases_)
      run_as_is(c);
    if (is_good_) run_mutants();
    const auto ms =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
    std::printf("  %zu mutants, %u killed, %zu exceptions, %lld ms\n", numbered_.size(), killed_,
                excepted_.size(), static_cast<long long>(ms.count()));
    if (numbered_.empty() && !orders_are_relaxed()) complain("there are no mutants");
    return is_good_ ? 0 : 1;
  }

private:
  template <class... Parts>
  void complain(Parts&&... parts) {
    std::fflush(stdout);
    ((std::cerr << "  FAILED: ") << ... << parts) << std::endl;
    is_good_ = false;
  }

  static rl::test_result_e run_quietly(const Case& c, std::uint64_t& interleavings) {
    std::ostringstream ignored;
    rl::test_params params = c.params;
    params.output_stream = params.progress_stream = &ignored;
    const rl::test_result_e result = c.run(params);
    interleavings = params.stop_iteration;
    return result;
  }

  void run_as_is(const Case& c) {
    std::uint64_t interleavings = 0;
    const rl::test_result_e result = run_quietly(c, interleavings);
    std::printf("  %s: %llu interleavings (%s)\n", c.name, static_cast<unsigned long long>(interleavings),
                c.search);
    if (result != rl::test_result_success)
      complain(c.name, ": ", rl::test_result_str(result), "; run with the argument as-is to see how");
    else if (interleavings == 0 || interleavings < c.interleavings)
      complain(c.name, ": should try ", c.interleavings, " interleavings at least");
  }

  bool is_subject(const Site& site) const {
    return std::ranges::any_of(files_,
                               [&](const char* file) { return std::string_view(site.file).ends_with(file); });
  }

  bool orders_are_relaxed() const {
    return std::ranges::none_of(sites(),
                                [&](const Site& s) { return is_subject(s) && s.order != rl::mo_relaxed; });
  }

  static std::string text_of(const Site& site) {
    std::ifstream file(site.file);
    std::string line;
    for (unsigned i = 0; i < site.line; ++i)
      std::getline(file, line);
    return line.substr(std::min(line.size(), line.find_first_not_of(' ')));
  }

  /// The orders that are one step weaker than `order` for the operations of the site.
  static std::vector<rl::memory_order> weaker(const Site& site, rl::memory_order order) {
    switch (order) {
    case rl::mo_acquire:
    case rl::mo_release:
      return {rl::mo_relaxed};
    case rl::mo_acq_rel:
      return {rl::mo_acquire, rl::mo_release};
    case rl::mo_seq_cst:
      return {site.operations == is_load    ? rl::mo_acquire
              : site.operations == is_store ? rl::mo_release
                                            : rl::mo_acq_rel};
    default:
      return {};
    }
  }

  void run_mutants() {
    std::vector<bool> used(exceptions_.size());
    for (unsigned i = 0; i < sites().size(); ++i) {
      const Site& site = sites()[i];
      if (!is_subject(site) || site.order == rl::mo_relaxed) continue;
      if (site.operations == 0) {
        complain("no model reaches ", site.file, ":", site.line, ": ", text_of(site));
        continue;
      }
      // Orders that survive are weakened further; the weakest ones are the exceptions.
      std::vector<rl::memory_order> wanted = weaker(site, site.order), survivors;
      for (std::size_t k = 0; k < wanted.size(); ++k) {
        if (kill(i, wanted[k])) continue;
        survivors.push_back(wanted[k]);
        for (const rl::memory_order next : weaker(site, wanted[k]))
          if (std::ranges::find(wanted, next) == wanted.end()) wanted.push_back(next);
      }
      for (const rl::memory_order order : survivors) {
        const auto steps = weaker(site, order);
        if (std::ranges::any_of(
                steps, [&](auto next) { return std::ranges::find(survivors, next) != survivors.end(); }))
          continue;
        expect(site, order, used);
      }
    }
    for (std::size_t i = 0; i < used.size(); ++i)
      if (!used[i]) complain("an exception is not needed: ", exceptions_[i].line);
    mutants = excepted_; // all at once
    std::uint64_t interleavings = 0;
    if (!mutants.empty() && failing_case(interleavings))
      complain("the orders of the exceptions survive one by one, but not together");
    mutants.clear();
  }

  void expect(const Site& site, rl::memory_order order, std::vector<bool>& used) {
    const std::string line = text_of(site);
    for (std::size_t i = 0; i < exceptions_.size(); ++i)
      if (exceptions_[i].order == order && line.find(exceptions_[i].line) != std::string::npos) {
        used[i] = true;
        excepted_.push_back({static_cast<unsigned>(&site - sites().data()), order});
        return;
      }
    complain("no model fails with ", rl::format(order), " in ", site.file, ":", site.line, ": ", line);
  }

  /// The first model that fails, with its result; null if none does.
  const Case* failing_case(std::uint64_t& interleavings, rl::test_result_e* result = nullptr) const {
    for (const Case& c : cases_)
      if (const rl::test_result_e got = run_quietly(c, interleavings); got != rl::test_result_success) {
        if (result) *result = got;
        return &c;
      }
    return nullptr;
  }

  bool kill(unsigned site, rl::memory_order order) {
    mutants = {{site, order}};
    numbered_.push_back(mutants.front());
    std::uint64_t interleavings = 0;
    rl::test_result_e result = rl::test_result_success;
    const Case* const killer = failing_case(interleavings, &result);
    mutants.clear();
    const Site& s = sites()[site];
    std::printf("  mutant %zu: %s:%u %s -> %s: ", numbered_.size() - 1, std::strrchr(s.file, '/') + 1, s.line,
                rl::format(s.order), rl::format(order));
    if (killer) {
      ++killed_;
      std::printf("%s in \"%s\" after %llu\n", rl::test_result_str(result), killer->name,
                  static_cast<unsigned long long>(interleavings));
    } else {
      std::printf("survives\n");
    }
    return killer != nullptr;
  }

  /// Prints an interleaving that fails.
  int show(const std::string& which) {
    if (which != "as-is") {
      for (const Case& c : cases_)
        run_as_is(c);
      run_mutants(); // numbers the mutants
      mutants = {numbered_.at(std::stoul(which))};
    }
    for (const Case& c : cases_) {
      rl::test_params params = c.params;
      std::ostringstream ignored;
      params.output_stream = params.progress_stream = &ignored;
      if (c.run(params) == rl::test_result_success) continue;
      std::cout << c.name << std::endl;
      params.output_stream = &std::cout; // again, from the interleaving that failed
      params.collect_history = true;
      c.run(params);
      return 1;
    }
    return 0;
  }

  const char* name_;
  std::vector<const char*> files_;
  std::vector<Case> cases_;
  std::vector<Exception> exceptions_;
  std::vector<Mutant> numbered_; ///< all mutants
  std::vector<Mutant> excepted_;
  unsigned killed_ = 0;
  bool is_good_ = true;
};

} // namespace model
