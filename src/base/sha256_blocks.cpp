// SPDX-License-Identifier: MIT
#include "base/sha256_blocks.hpp"

#include <bit>

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#include <immintrin.h>
#define KNOTWORK_SHA_INSTRUCTIONS 1
#endif

namespace knotwork {
namespace {

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
alignas(16) constexpr std::array<std::uint32_t, 64> kRoundConstants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

constexpr std::uint32_t big_endian(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} << 24U | std::uint32_t{bytes[1]} << 16U |
         std::uint32_t{bytes[2]} << 8U | std::uint32_t{bytes[3]};
}

// The functions of section 4.1.2: capital and small sigma.
constexpr std::uint32_t sum0(std::uint32_t x) {
  return std::rotr(x, 2) ^ std::rotr(x, 13) ^ std::rotr(x, 22);
}
constexpr std::uint32_t sum1(std::uint32_t x) {
  return std::rotr(x, 6) ^ std::rotr(x, 11) ^ std::rotr(x, 25);
}
constexpr std::uint32_t sigma0(std::uint32_t x) {
  return std::rotr(x, 7) ^ std::rotr(x, 18) ^ x >> 3U;
}
constexpr std::uint32_t sigma1(std::uint32_t x) {
  return std::rotr(x, 17) ^ std::rotr(x, 19) ^ x >> 10U;
}

}  // namespace

void sha256_blocks_plain(Sha256State& state, const std::uint8_t* bytes, std::size_t blocks) {
  for (; blocks > 0; --blocks, bytes += kSha256BlockSize) {
    std::array<std::uint32_t, 64> w;
    for (std::size_t t = 0; t < 16; ++t) w[t] = big_endian(bytes + 4 * t);
    for (std::size_t t = 16; t < 64; ++t) {
      w[t] = sigma1(w[t - 2]) + w[t - 7] + sigma0(w[t - 15]) + w[t - 16];
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t t = 0; t < 64; ++t) {
      const std::uint32_t choice = (e & f) ^ (~e & g);
      const std::uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
      const std::uint32_t t1 = h + sum1(e) + choice + kRoundConstants[t] + w[t];
      const std::uint32_t t2 = sum0(a) + majority;
      h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    const Sha256State mixed = {a, b, c, d, e, f, g, h};
    for (std::size_t k = 0; k < state.size(); ++k) state[k] += mixed[k];
  }
}

#if defined(KNOTWORK_SHA_INSTRUCTIONS)
namespace {

const __m128i* vectors(const void* bytes) {
  return static_cast<const __m128i*>(bytes);
}

// The instructions need the state as two vectors, (f, e, b, a) and (h, g, d, c) from the lowest
// element on; each sha256rnds2 does two rounds.
__attribute__((target("sha,sse4.1"))) void sha256_blocks_x86(Sha256State& state,
                                                             const std::uint8_t* bytes,
                                                             std::size_t blocks) {
  constexpr int kSwapPairs = 0xb1, kReverse = 0x1b, kHighHalf = 0x0e, kHighFour = 0xf0;
  const __m128i big_endian_words = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128(vectors(&state[0])), kSwapPairs);
  const __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128(vectors(&state[4])), kReverse);
  __m128i feba = _mm_alignr_epi8(badc, hgfe, 8);
  __m128i hgdc = _mm_blend_epi16(hgfe, badc, kHighFour);
  for (; blocks > 0; --blocks, bytes += kSha256BlockSize) {
    const __m128i feba_before = feba, hgdc_before = hgdc;
    __m128i w[4];  // the latest 16 words of the message schedule
    for (int k = 0; k < 4; ++k) {
      w[k] = _mm_shuffle_epi8(_mm_loadu_si128(vectors(bytes) + k), big_endian_words);
    }
#pragma GCC unroll 16
    for (std::size_t r = 0; r < 16; ++r) {
      __m128i& oldest = w[r % 4];
      const __m128i next = w[(r + 1) % 4], third = w[(r + 2) % 4], latest = w[(r + 3) % 4];
      const __m128i terms = _mm_add_epi32(oldest, _mm_load_si128(vectors(&kRoundConstants[4 * r])));
      hgdc = _mm_sha256rnds2_epu32(hgdc, feba, terms);
      feba = _mm_sha256rnds2_epu32(feba, hgdc, _mm_shuffle_epi32(terms, kHighHalf));
      if (r >= 12) continue;
      const __m128i partial =
          _mm_add_epi32(_mm_sha256msg1_epu32(oldest, next), _mm_alignr_epi8(latest, third, 4));
      oldest = _mm_sha256msg2_epu32(partial, latest);
    }
    feba = _mm_add_epi32(feba, feba_before);
    hgdc = _mm_add_epi32(hgdc, hgdc_before);
  }
  const __m128i abef = _mm_shuffle_epi32(feba, kReverse);
  const __m128i ghcd = _mm_shuffle_epi32(hgdc, kSwapPairs);
  auto* out = reinterpret_cast<__m128i*>(state.data());
  _mm_storeu_si128(out, _mm_blend_epi16(abef, ghcd, kHighFour));
  _mm_storeu_si128(out + 1, _mm_alignr_epi8(ghcd, abef, 8));
}

bool processor_has_sha() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0 || (ecx & bit_SSE4_1) == 0) return false;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (ebx & bit_SHA) != 0;
}

}  // namespace

Sha256Blocks sha256_blocks_of_processor() {
  return processor_has_sha() ? &sha256_blocks_x86 : nullptr;
}
#else
Sha256Blocks sha256_blocks_of_processor() {
  return nullptr;
}
#endif

}  // namespace knotwork
