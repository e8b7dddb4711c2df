#include "runtime/capture/launch_json.hpp"

#include "runtime/capture/files.hpp"
#include "runtime/description/answer_json.hpp"
#include "runtime/memory/sampler.hpp"
#include "runtime/profile/json_writer.hpp"

#include <cstring>

#include <unistd.h>

namespace hostcl::runtime::capture {

using compiler::ArgumentKind;
using profile::JsonWriter;

namespace {

// ---- The program

/// Writes the files of a program, and describes the program. Programs that were linked have several files.
class ProgramFiles {
public:
  ProgramFiles(JsonWriter& json, const std::string& folder) : json_(json), folder_(folder) {}

  /// Writes the members of an object.
  void describe(const BuildInputs& inputs) {
    static constexpr const char* kinds[] = {"source", "il", "binary", "link"};
    static constexpr const char* endings[] = {"cl", "spv", "bin"};
    const auto kind = static_cast<std::size_t>(inputs.kind);
    json_.member("kind", kinds[kind]);
    json_.member("options", std::string_view(inputs.options));
    if (inputs.kind != BuildInputs::Kind::link)
      json_.member("file", std::string_view(write("program", endings[kind], inputs.code)));
    json_.array("headers", [&] {
      for (const compiler::Header& header : inputs.headers)
        json_.object([&] {
          json_.member("name", std::string_view(header.name));
          json_.member("file", std::string_view(write("header", "h", header.source)));
        });
    });
    json_.array("constants", [&] {
      for (const BuildInputs::Constant& constant : inputs.constants)
        json_.object([&] {
          json_.member("id", constant.id);
          json_.member("bytes", constant.bytes);
          json_.member("bits", constant.bits);
        });
    });
    json_.array("parts", [&] {
      for (const auto& part : inputs.parts)
        json_.object([&] { describe(*part); });
    });
  }

private:
  std::string write(const char* stem, const char* ending, const std::string& contents) {
    std::string name = count_ == 0 ? text(stem, ".", ending) : text(stem, "-", count_, ".", ending);
    ++count_;
    write_file(folder_ + "/" + name, contents);
    return name;
  }

  JsonWriter& json_;
  const std::string& folder_;
  unsigned count_ = 0;
};

// ---- Arguments

std::string hexadecimal(std::span<const std::byte> bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string result;
  for (const std::byte byte : bytes) {
    result += digits[std::to_integer<unsigned>(byte) >> 4];
    result += digits[std::to_integer<unsigned>(byte) & 15];
  }
  return result;
}

const char* kind_of(ArgumentKind kind, bool is_svm) {
  switch (kind) {
  case ArgumentKind::value:
    return "value";
  case ArgumentKind::local_pointer:
    return "local";
  case ArgumentKind::sampler:
    return "sampler";
  case ArgumentKind::image:
    return "image";
  case ArgumentKind::pipe:
    return "pipe";
  case ArgumentKind::queue:
    return "queue";
  default:
    return is_svm ? "address" : "buffer";
  }
}

void describe_image(JsonWriter& json, const Image& image) {
  const ImageLayout& layout = image.layout();
  json.member("object", layout.type);
  json.member("order", layout.format->name.image_channel_order);
  json.member("data_type", layout.format->name.image_channel_data_type);
  json.member("width", layout.width);
  json.member("height", layout.height);
  json.member("depth", layout.depth);
  json.member("layers", layout.layers);
  json.member("row_pitch", layout.row_pitch);
}

void describe_argument(JsonWriter& json, const LaunchRecord& record, const Contents& contents,
                       std::size_t index) {
  const compiler::KernelArgument& argument = record.signature().arguments[index];
  const Referent& referent = contents.referents[index];
  const std::byte* slot = record.arguments() + argument.offset;
  std::uint64_t number = 0;
  std::memcpy(&number, slot, std::min<std::size_t>(argument.size, sizeof(number)));
  json.member("name", std::string_view(argument.name));
  json.member("type", std::string_view(argument.type_name));
  json.member("kind", kind_of(argument.kind, !referent.memory && number));
  if (argument.kind == ArgumentKind::value)
    json.member("value", std::string_view(hexadecimal({slot, argument.size})));
  if (argument.kind == ArgumentKind::local_pointer) json.member("bytes", number);
  if (argument.kind == ArgumentKind::sampler) {
    const SamplerSettings settings = SamplerSettings::of(number);
    json.member("normalized", settings.normalized);
    json.member("addressing", settings.addressing);
    json.member("filter", settings.filter);
  }
  if (referent.memory) json.member("flags", referent.memory->flags());
  if (referent.part != Referent::none) {
    json.member("memory", referent.part);
    json.member("offset", referent.offset);
    json.member("bytes", referent.bytes);
  }
  if (argument.kind == ArgumentKind::image && referent.memory)
    describe_image(json, static_cast<const Image&>(*referent.memory));
}

// ---- The settings

void describe_settings(JsonWriter& json) {
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string_view both = *entry;
    const std::size_t equals = both.find('=');
    if (both.starts_with("HOSTCL_") && equals != std::string_view::npos)
      json.member(both.substr(0, equals), both.substr(equals + 1));
  }
}

void list(JsonWriter& json, std::string_view name, std::span<const std::uint64_t> numbers) {
  json.array(name, [&] {
    for (const std::uint64_t number : numbers)
      json.value(number);
  });
}

} // namespace

std::string file_of_part(std::size_t part, std::string_view when) {
  return text("memory-", part, ".", when, ".zst");
}

std::string description_of(const LaunchRecord& record, Device& device, const Contents& contents,
                           std::uint64_t number, const std::string& folder) {
  const compiler::KernelSignature& signature = record.signature();
  const abi::NDRange& range = record.range();
  JsonWriter json;
  json.object([&] {
    json.member("hostcl", HOSTCL_VERSION);
    json.member("kernel", std::string_view(signature.name));
    json.member("launch", number);
    json.member("process", getpid());
    list(json, "global_offset", {range.global_offset, range.work_dim});
    list(json, "global_size", {range.global_size, range.work_dim});
    list(json, "local_size", {range.local_size, range.work_dim});
    json.member("enqueues", signature.enqueues);
    json.array("unsupported", [&] {
      for (const std::string& sentence : contents.unsupported)
        json.value(std::string_view(sentence));
    });
    json.object("program", [&] {
      if (const auto& inputs = record.program().inputs()) ProgramFiles(json, folder).describe(*inputs);
    });
    json.array("arguments", [&] {
      for (std::size_t i = 0; i < signature.arguments.size(); ++i)
        json.object([&] { describe_argument(json, record, contents, i); });
    });
    json.array("memory", [&] {
      for (std::size_t i = 0; i < contents.parts.size(); ++i)
        json.object([&] {
          json.member("address", contents.parts[i].first);
          json.member("bytes", contents.parts[i].bytes);
          json.member("image", contents.parts[i].image != nullptr);
          json.member("svm", contents.parts[i].is_svm);
          json.member("before", std::string_view(file_of_part(i, "before")));
        });
    });
    json.object("settings", [&] { describe_settings(json); });
    json.member_text("device", described_answers_text(dispatch_table->clGetDeviceInfo, device.handle()));
  });
  return json.text();
}

} // namespace hostcl::runtime::capture
