#include "runtime/description/description.hpp"

#include "runtime/description/answer_encoding.hpp"

#include <llvm/Support/JSON.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace hostcl::runtime {

namespace json = llvm::json;

namespace {

std::string_view view(llvm::StringRef text) {
  return {text.data(), text.size()};
}

/// Puts the values of a file into a DeviceDescription, and a warning for each value that cannot be used.
class Reader {
public:
  DeviceDescription& description() { return description_; }

  template <class... Parts>
  void warn(const Parts&... parts) {
    description_.warnings.push_back(text(parts...));
  }

  /// The answer to a query of this name. Unknown names are kept for report_unknown().
  void answer(std::string_view name, const json::Value& value) {
    const DeviceQuery* query = find_device_query(name);
    if (!query) {
      unknown_ += unknown_.empty() ? "" : ", ";
      unknown_ += name;
    }
    if (!query || query->rule == AnswerRule::host) return;
    auto encoded = encoded_answer(*query, value);
    if (!encoded.ok())
      warn(name, " is ignored: ", encoded.error().sentence());
    else
      put(query->number, std::move(encoded).value());
  }

  void report_unknown() {
    if (!unknown_.empty()) warn("these queries are not known and are ignored: ", unknown_);
  }

  void quirks(const json::Object& object) {
    auto parsed = parse_quirks(object);
    if (parsed.ok())
      description_.quirks = std::move(parsed).value();
    else
      warn(parsed.error().sentence(), ". The description's quirks are ignored");
  }

  void image_formats(ImageFormatList list) {
    if (!description_.image_formats) description_.image_formats.emplace();
    description_.image_formats->push_back(std::move(list));
  }

private:
  void put(cl_device_info number, AnswerBytes answer) {
    Answers& answers = description_.answers;
    if (number == CL_DEVICE_EXTENSIONS) {
      // If the description also has a list with versions, that list is kept.
      answers.try_emplace(CL_DEVICE_EXTENSIONS_WITH_VERSION, without_versions(text_in(answer)));
      return;
    }
    if (number == CL_DEVICE_IL_VERSION) {
      answers.try_emplace(CL_DEVICE_ILS_WITH_VERSION, intermediate_languages(text_in(answer)));
      return;
    }
    if (number == CL_DEVICE_VERSION) answer = with_spaces(answer, 2);
    if (number == CL_DEVICE_OPENCL_C_VERSION) answer = with_spaces(answer, 3);
    answers.insert_or_assign(number, std::move(answer));
  }

  /// The text of a version, as "OpenCL 1.2 vendor". The space before the information of the vendor is mandatory. Some
  /// tools that write reports remove the space if no information follows.
  /// @param spaces the least number of spaces in the text
  static AnswerBytes with_spaces(const AnswerBytes& version, int spaces) {
    const std::string text = text_in(version);
    return std::ranges::count(text, ' ') < spaces ? answer_of_text(text + " ") : version;
  }

  static cl_name_version entry(std::string_view name, cl_version version) {
    cl_name_version result{};
    result.version = version;
    std::memcpy(result.name, name.data(), std::min(name.size(), sizeof(result.name) - 1));
    return result;
  }
  static AnswerBytes without_versions(std::string_view names) {
    std::vector<cl_name_version> list;
    for (const std::string& name : names_in(names))
      list.push_back(entry(name, 0));
    return answer_of_list(list);
  }
  /// From names as "SPIR-V_1.2".
  static AnswerBytes intermediate_languages(std::string_view names) {
    std::vector<cl_name_version> list;
    for (const std::string& name : names_in(names)) {
      const std::size_t end = std::min(name.rfind('_'), name.size());
      const auto version =
          end < name.size() ? parsed_version(std::string_view(name).substr(end + 1)) : std::nullopt;
      list.push_back(entry(std::string_view(name).substr(0, end), version.value_or(0)));
    }
    return answer_of_list(list);
  }

  DeviceDescription description_;
  std::string unknown_;
};

// The driver's own format

/// The accesses of kernels (ImageFormatList::flags), from a name or a list of names.
Result<cl_mem_flags> flags_of(const json::Object& object) {
  const json::Value* value = object.get("flags");
  if (!value) return cl_mem_flags{CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY};
  const json::Array* list = value->getAsArray();
  if (!list) return named_value(image_flags(), *value);
  cl_mem_flags flags = 0;
  for (const json::Value& name : *list) {
    TRY(const std::uint64_t flag, named_value(image_flags(), name));
    flags |= flag;
  }
  return flags;
}

Result<cl_image_format> format_of(const json::Value& value) {
  const auto text = value.getAsString();
  const auto [order, type] = text ? text->split(' ') : std::pair<llvm::StringRef, llvm::StringRef>();
  if (order.empty() || type.empty())
    return fail(CL_INVALID_VALUE,
                "an image format must be a channel order and a channel data type with a space "
                "between them, as \"CL_RGBA CL_UNORM_INT8\"");
  TRY(const std::uint64_t channel_order, named_value(channel_orders(), json::Value(order)));
  TRY(const std::uint64_t channel_type, named_value(channel_types(), json::Value(type)));
  return cl_image_format{static_cast<cl_channel_order>(channel_order),
                         static_cast<cl_channel_type>(channel_type)};
}

Result<ImageFormatList> format_list(const json::Value& value) {
  const json::Object* object = value.getAsObject();
  const json::Value* type = object ? object->get("type") : nullptr;
  const json::Array* formats = object ? object->getArray("formats") : nullptr;
  if (!type || !formats) return fail(CL_INVALID_VALUE, "an entry must have the keys type and formats");
  ImageFormatList list{};
  TRY(const std::uint64_t image_type, named_value(image_types(), *type));
  list.type = static_cast<cl_mem_object_type>(image_type);
  TRY(list.flags, flags_of(*object));
  for (const json::Value& one : *formats) {
    TRY(const cl_image_format format, format_of(one));
    list.formats.push_back(format);
  }
  return list;
}

void read_image_formats(Reader& reader, const json::Value& value) {
  const json::Array* lists = value.getAsArray();
  if (!lists) return reader.warn("image_formats is ignored: it must be a list");
  reader.description().image_formats.emplace();
  for (const json::Value& one : *lists) {
    auto list = format_list(one);
    if (list.ok())
      reader.image_formats(std::move(list).value());
    else
      reader.warn("an entry of image_formats is ignored: ", list.error().sentence());
  }
}

void read_unlisted(Reader& reader, const json::Value& value) {
  const auto text = value.getAsString();
  if (!text || (*text != "host" && *text != "absent"))
    return reader.warn("unlisted is ignored: it must be \"host\" or \"absent\"");
  reader.description().host_answers_unlisted = *text == "host";
}

void read_own(Reader& reader, const json::Object& root) {
  for (const auto& [key, value] : root) {
    const std::string_view name = view(key);
    const json::Object* object = value.getAsObject();
    if (name == "name" && value.kind() == json::Value::String)
      reader.description().name = value.getAsString().value_or("").str();
    else if (name == "unlisted")
      read_unlisted(reader, value);
    else if (name == "device" && object)
      for (const auto& [query, answer] : *object)
        reader.answer(view(query), answer);
    else if (name == "image_formats")
      read_image_formats(reader, value);
    else if (name == "quirks" && object)
      reader.quirks(*object);
    else if (name != "$schema" && name != "source")
      reader.warn("the key ", name,
                  " is unknown or its value has the wrong type, and is ignored; keys are "
                  "$schema, name, source, unlisted, device, image_formats and quirks");
  }
}

// Reports of OpenCLCapsViewer

/// The answer in an entry of a report. If the answer is a list, the entry's array `details` has the elements, and its
/// member `value` only has their number.
json::Value value_in_report(const DeviceQuery* query, const json::Object& entry) {
  const json::Value* value = entry.get("value");
  const json::Value none = nullptr;
  if (!query || (query->type != AnswerType::name_versions && query->type != AnswerType::partition_types))
    return value ? *value : none;
  json::Array list;
  if (const json::Array* details = entry.getArray("details"))
    for (const json::Value& one : *details) {
      const json::Object* detail = one.getAsObject();
      const json::Value* number = detail ? detail->get("value") : nullptr;
      if (!number) continue;
      if (query->type == AnswerType::partition_types)
        list.push_back(*number);
      else
        list.push_back(json::Object{{"name", detail->getString("name").value_or("")}, {"version", *number}});
    }
  return list;
}

void read_report(Reader& reader, const json::Object& device) {
  for (const json::Value& one : *device.getArray("info")) {
    const json::Object* entry = one.getAsObject();
    const auto name = entry ? entry->getString("name") : std::nullopt;
    if (!name) continue;
    reader.answer(view(*name), value_in_report(find_device_query(view(*name)), *entry));
    if (*name == "CL_DEVICE_NAME") reader.description().name = entry->getString("value").value_or("").str();
  }
  if (const json::Array* extensions = device.getArray("extensions"))
    reader.answer("CL_DEVICE_EXTENSIONS_WITH_VERSION", json::Value(json::Array(*extensions)));
  const json::Array* formats = device.getArray("imageformats");
  if (!formats) return;
  reader.description().image_formats.emplace();
  for (const json::Value& one : *formats) {
    const json::Object* format = one.getAsObject();
    if (!format) continue;
    const auto member = [&](llvm::StringRef key) {
      return static_cast<cl_uint>(format->getInteger(key).value_or(0));
    };
    reader.image_formats(
        {member("type"), member("flags"), {{member("channelorder"), member("channeltype")}}});
  }
}

// clinfo --json

/// The number of a value that clinfo writes both as a number and as text; null if the object is not such a value. Some
/// versions of clinfo write the key with spaces.
const json::Value* raw_number(const json::Object& object) {
  for (const auto& [key, value] : object)
    if (llvm::StringRef(key).trim() == "raw") return &value;
  return nullptr;
}

json::Value value_in_clinfo(const json::Value& value) {
  const json::Object* object = value.getAsObject();
  if (!object) return value;
  if (const json::Value* raw = raw_number(*object)) return *raw;
  json::Array list; // an object with a member for each name
  for (const auto& [name, version] : *object)
    if (const json::Object* inner = version.getAsObject())
      if (const json::Value* raw = raw_number(*inner))
        list.push_back(json::Object{{"name", llvm::StringRef(name)}, {"version", *raw}});
  return list;
}

/// The devices of a platform are in the member "online".
std::vector<const json::Object*> devices_in_clinfo(const json::Array& platforms) {
  std::vector<const json::Object*> devices;
  for (const json::Value& platform : platforms)
    if (const json::Object* object = platform.getAsObject())
      if (const json::Array* online = object->getArray("online"))
        for (const json::Value& device : *online)
          if (device.getAsObject()) devices.push_back(device.getAsObject());
  return devices;
}

Status read_clinfo(Reader& reader, const json::Array& platforms) {
  const auto devices = devices_in_clinfo(platforms);
  if (devices.empty()) return fail(CL_INVALID_VALUE, "the file, which clinfo has written, has no device");
  DeviceDescription& description = reader.description();
  description.name = devices.front()->getString("CL_DEVICE_NAME").value_or("").str();
  if (devices.size() > 1)
    reader.warn("the file, which clinfo has written, has ", devices.size(), " devices; only the first one, ",
                description.name, ", is used");
  for (const auto& [name, value] : *devices.front())
    // clinfo writes an object with one member for all versions of OpenCL C, of which a parser keeps only one.
    if (llvm::StringRef(name).starts_with("CL_DEVICE_") && name != "CL_DEVICE_OPENCL_C_ALL_VERSIONS")
      reader.answer(view(name), value_in_clinfo(value));
    else if (name == "CL_DRIVER_VERSION")
      reader.answer(view(name), value);
  return {};
}

} // namespace

Result<DeviceDescription> parse_device_description(std::string_view text) {
  auto parsed = json::parse(llvm::StringRef(text.data(), text.size()));
  if (!parsed) return fail(CL_INVALID_VALUE, llvm::toString(parsed.takeError()));
  const json::Object* root = parsed->getAsObject();
  const json::Object* device = root ? root->getObject("device") : nullptr;
  Reader reader;
  if (root && root->getArray("devices")) {
    TRY(read_clinfo(reader, *root->getArray("devices")));
  } else if (device && device->getArray("info")) {
    read_report(reader, *device);
  } else if (root && root->getArray("info")) {
    read_report(reader, *root);
  } else if (device) {
    read_own(reader, *root);
  } else {
    return fail(CL_INVALID_VALUE,
                "the file has neither the member device of a device description or of a report of "
                "OpenCLCapsViewer, nor the member devices of clinfo --json");
  }
  reader.report_unknown();
  return std::move(reader.description());
}

} // namespace hostcl::runtime
