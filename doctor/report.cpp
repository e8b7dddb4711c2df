#include "doctor/report.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace hostcl::doctor {

namespace {

llvm::StringRef word_for(Level level) {
  switch (level) {
  case Level::well:
    return "ok";
  case Level::note:
    return "note";
  case Level::problem:
    break;
  }
  return "problem";
}

/// llvm::json accepts UTF-8 only.
llvm::json::Value utf8(llvm::StringRef bytes) {
  return llvm::json::fixUTF8(bytes);
}

} // namespace

void Report::begin_section(std::string title) {
  sections_.push_back({std::move(title), {}});
}

void Report::add(Finding finding) {
  sections_.back().findings.push_back(std::move(finding));
}

void Report::well(std::string name, std::string text, llvm::json::Object facts) {
  add({Level::well, std::move(name), std::move(text), "", std::move(facts)});
}

void Report::note(std::string name, std::string text, llvm::json::Object facts) {
  add({Level::note, std::move(name), std::move(text), "", std::move(facts)});
}

void Report::problem(std::string name, std::string text, std::string remedy, llvm::json::Object facts) {
  add({Level::problem, std::move(name), std::move(text), std::move(remedy), std::move(facts)});
}

unsigned Report::problems() const {
  unsigned number = 0;
  for (const Section& section : sections_)
    number +=
        llvm::count_if(section.findings, [](const Finding& each) { return each.level == Level::problem; });
  return number;
}

bool Report::is_well() const {
  return problems() == 0;
}

void Report::print_text(llvm::raw_ostream& stream) const {
  for (const Section& section : sections_) {
    stream << section.title << '\n';
    for (const Finding& finding : section.findings) {
      stream << "  " << llvm::left_justify(word_for(finding.level), 9) << printable(finding.text);
      if (!finding.remedy.empty()) stream << " -> " << printable(finding.remedy);
      stream << '\n';
    }
  }
  if (const unsigned number = problems())
    stream << '\n' << number << (number == 1 ? " problem" : " problems") << " found\n";
  else
    stream << "\nAll is well\n";
}

void Report::print_json(llvm::raw_ostream& stream) const {
  llvm::json::OStream json(stream, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("version", HOSTCL_VERSION);
    json.attribute("well", is_well());
    json.attributeArray("findings", [&] {
      for (const Section& section : sections_)
        for (const Finding& finding : section.findings)
          json.object([&] {
            json.attribute("section", utf8(section.title));
            json.attribute("level", word_for(finding.level));
            json.attribute("name", finding.name);
            json.attribute("text", utf8(finding.text));
            if (!finding.remedy.empty()) json.attribute("remedy", utf8(finding.remedy));
            if (!finding.facts.empty()) json.attribute("facts", llvm::json::Object(finding.facts));
          });
    });
  });
  stream << '\n';
}

std::string printable(llvm::StringRef bytes) {
  constexpr std::size_t most = 600;
  const bool is_text = llvm::json::isUTF8(bytes);
  std::string line;
  for (const char byte : bytes) {
    const auto code = static_cast<unsigned char>(byte);
    if (line.size() >= most && (code & 0xc0) != 0x80) return line + "...";
    if (code == '\n')
      line += "\\n";
    else if (code == '\r')
      line += "\\r";
    else if (code < ' ' || code == 0x7f || (code > 0x7f && !is_text))
      line += "\\x" + llvm::utohexstr(code, /*LowerCase=*/true, 2);
    else
      line += byte;
  }
  return line;
}

} // namespace hostcl::doctor
