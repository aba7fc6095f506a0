// SPDX-License-Identifier: MIT
// SHA-256 through OpenSSL's libcrypto.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <knotwork/export.hpp>

namespace knotwork {

// (Exported for Knotwork::tools.)
class KNOTWORK_API Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;
  void update(std::span<const std::uint8_t> bytes);
  std::string hex_digest();  // 64 lower-case digits; ends the computation

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

}  // namespace knotwork
