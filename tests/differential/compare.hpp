#pragma once

// Asks the ways for a case and compares what they answer.

#include "differential/case.hpp"
#include "differential/worker.hpp"

#include <deque>
#include <map>
#include <memory>
#include <optional>

namespace differential {

/// A disagreement: two ways, or two builds of one way, and what they answered.
struct Verdict {
  Way first, second;
  Answer first_answer, second_answer;

  /// Whether the other one is the same fault.
  bool is_like(const Verdict& other) const {
    return first == other.first && second == other.second && first_answer.kind == other.first_answer.kind &&
           second_answer.kind == other.second_answer.kind;
  }
};

/// What an answer says, in a line.
std::string describe(const Answer& answer);

/// The kernels that a way was asked for, and the processor's seconds that it has taken.
struct Spent {
  std::uint64_t kernels = 0, unsupported = 0;
  double build = 0, run = 0;
};

class Comparison {
public:
  explicit Comparison(std::chrono::seconds limit) : limit_(limit) {}

  /// What is asked from now on is asked in these ways. Nothing may be open.
  void use(const std::vector<Way>& ways);

  /// Begins with a case in the ways of these numbers; as many judge() must follow, in the same order.
  /// @param name of the kernel; `test` if it is empty
  void ask(const std::string& source, const std::vector<std::size_t>& numbers, const std::string& name = {});
  std::size_t open() const { return asked_.size(); }

  /// The first disagreement about the oldest open case, if there is any.
  std::optional<Verdict> judge();

  /// Kernels that other drivers could not build or run.
  std::uint64_t given_up() const { return given_up_; }

  const std::map<std::string, Spent>& spent() const { return spent_; }

private:
  struct Asked {
    std::vector<Worker*> workers;
    bool emulates_sub_groups;
  };

  bool is_excused(const Way& way, const Answer& answer);
  Answer answer_of(Worker& worker);
  std::optional<Verdict> judge_across(const std::vector<Worker*>& workers);
  std::optional<Verdict> judge_each(const std::vector<Worker*>& workers);

  std::chrono::seconds limit_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::deque<Asked> asked_;
  std::uint64_t given_up_ = 0;
  std::map<std::string, Spent> spent_; ///< by what the ways have in common
};

/// Whether a case fails in the same ways as before. Cases with launches at once get several attempts.
bool fails_like(const std::string& source, const Verdict& verdict, std::chrono::seconds limit);

/// The heuristics without which the ways agree, each alone; none of a case with launches at once, where that
/// would be chance.
std::vector<std::string> heuristics_at_fault(const std::string& source, const Verdict& verdict,
                                             std::chrono::seconds limit);

/// Where the answers to a case differ, with both values.
std::string first_difference(const std::string& source, const Verdict& verdict, std::chrono::seconds limit);

} // namespace differential
