// SPDX-License-Identifier: MIT
#include "base/sha256.hpp"

#include <openssl/evp.h>

#include <array>

#include "base/fail.hpp"

namespace knotwork {

struct Sha256::Context {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> handle{EVP_MD_CTX_new(),
                                                                 &EVP_MD_CTX_free};
  static void expect(bool good) {
    if (!good) fail(ErrorKind::failed_run, "The cryptography library could not compute a SHA-256.");
  }
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  Context::expect(context_->handle &&
                  EVP_DigestInit_ex(context_->handle.get(), EVP_sha256(), nullptr) == 1);
}

Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::span<const std::uint8_t> bytes) {
  Context::expect(EVP_DigestUpdate(context_->handle.get(), bytes.data(), bytes.size()) == 1);
}

std::string Sha256::hex_digest() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  Context::expect(EVP_DigestFinal_ex(context_->handle.get(), digest.data(), &size) == 1);
  std::string hex;
  for (unsigned int k = 0; k < size; ++k) hex += fmt::format("{:02x}", digest[k]);
  return hex;
}

}  // namespace knotwork
