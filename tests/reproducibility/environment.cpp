// SPDX-License-Identifier: MIT
#include "tests/reproducibility/environment.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/sha256.hpp"

#include <knotwork/random.hpp>

namespace knotwork {
namespace {

constexpr std::size_t kValues = 4096;  // for each function

struct Part {
  const char* name;
  std::string Environment::*text;
};
constexpr std::array<Part, 5> kParts = {{{"processor", &Environment::processor},
                                         {"compiler", &Environment::compiler},
                                         {"c_library", &Environment::c_library},
                                         {"libraries", &Environment::libraries},
                                         {"libm_sha256", &Environment::libm_sha256}}};

template <class T>
void add(Sha256& sha, T value) {
  std::array<std::uint8_t, sizeof(T)> bytes{};
  std::memcpy(bytes.data(), &value, sizeof(T));
  sha.update(bytes);
}

// The functions that are called between base/ and training/, each over its typical arguments.
template <class T>
void add_functions(Sha256& sha) {
  const Random random(0, Purpose::gradient_check);
  for (std::uint64_t k = 0; k < kValues; ++k) {
    const T share = static_cast<T>(random.uniform(k));
    const T x = static_cast<T>(random.normal(k + kValues)) * 3;
    add(sha, std::exp(-std::fabs(x)));
    add(sha, std::exp(x));
    add(sha, std::expm1(-std::fabs(x)));
    add(sha, std::log(share + std::fabs(x)));
    add(sha, std::log1p(share));
    add(sha, std::tanh(x));
    add(sha, std::erfc(x));
    add(sha, std::sin(x));
    add(sha, std::cos(2 * x));
    add(sha, std::pow(share + T{0.5}, x));
  }
}

std::string libm_sha256() {
  Sha256 sha;
  add_functions<double>(sha);
  add_functions<float>(sha);
  return sha.hex_digest();
}

std::string compiler() {
#if defined(__clang__)
  return fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
  return fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
  return "unknown";
#endif
}

std::string c_library() {
#ifdef __GLIBC__
  return fmt::format("glibc {}", gnu_get_libc_version());
#else
  return "unknown";
#endif
}

std::string processor() {
  utsname names{};
  return ::uname(&names) == 0 ? names.machine : "unknown";
}

}  // namespace

Environment this_environment() {
  return {processor(), compiler(), c_library(), KNOTWORK_LIBRARIES, libm_sha256()};
}

nlohmann::ordered_json to_json(const Environment& environment) {
  nlohmann::ordered_json json;
  for (const Part& part : kParts) json[part.name] = environment.*part.text;
  return json;
}

Environment environment_from_json(const nlohmann::ordered_json& json) {
  Environment environment;
  for (const Part& part : kParts) environment.*part.text = json.at(part.name).get<std::string>();
  return environment;
}

std::vector<std::string> differences(const Environment& here, const Environment& recorded) {
  std::vector<std::string> all;
  for (const Part& part : kParts) {
    if (here.*part.text == recorded.*part.text) continue;
    all.push_back(
        fmt::format("{}: {}, recorded with {}", part.name, here.*part.text, recorded.*part.text));
  }
  return all;
}

}  // namespace knotwork
