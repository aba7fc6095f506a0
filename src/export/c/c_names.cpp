// SPDX-License-Identifier: MIT
#include "export/c/c_names.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/fail.hpp"

namespace knotwork::exporting {
namespace {

// Keywords of C up to C23 and of C++ up to C++20.
constexpr std::string_view kKeywords[] = {"alignas",     "alignof",
                                          "and",         "and_eq",
                                          "asm",         "auto",
                                          "bitand",      "bitor",
                                          "bool",        "break",
                                          "case",        "catch",
                                          "char",        "char16_t",
                                          "char32_t",    "char8_t",
                                          "class",       "co_await",
                                          "co_return",   "co_yield",
                                          "compl",       "concept",
                                          "const",       "const_cast",
                                          "consteval",   "constexpr",
                                          "constinit",   "continue",
                                          "decltype",    "default",
                                          "delete",      "do",
                                          "double",      "dynamic_cast",
                                          "else",        "enum",
                                          "explicit",    "export",
                                          "extern",      "false",
                                          "float",       "for",
                                          "fortran",     "friend",
                                          "goto",        "if",
                                          "inline",      "int",
                                          "long",        "mutable",
                                          "namespace",   "new",
                                          "noexcept",    "not",
                                          "not_eq",      "nullptr",
                                          "operator",    "or",
                                          "or_eq",       "private",
                                          "protected",   "public",
                                          "register",    "reinterpret_cast",
                                          "requires",    "restrict",
                                          "return",      "short",
                                          "signed",      "sizeof",
                                          "static",      "static_assert",
                                          "static_cast", "struct",
                                          "switch",      "template",
                                          "this",        "thread_local",
                                          "throw",       "true",
                                          "try",         "typedef",
                                          "typeid",      "typename",
                                          "typeof",      "typeof_unqual",
                                          "union",       "unsigned",
                                          "using",       "virtual",
                                          "void",        "volatile",
                                          "wchar_t",     "while",
                                          "xor",         "xor_eq"};

// Functions of math.h, including those of C23, POSIX and GNU; each also exists with a suffix.
constexpr std::string_view kMathFunctions[] = {"acos",
                                               "acosh",
                                               "acospi",
                                               "asin",
                                               "asinh",
                                               "asinpi",
                                               "atan",
                                               "atan2",
                                               "atan2pi",
                                               "atanh",
                                               "atanpi",
                                               "canonicalize",
                                               "cbrt",
                                               "ceil",
                                               "compoundn",
                                               "copysign",
                                               "cos",
                                               "cosh",
                                               "cospi",
                                               "drem",
                                               "erf",
                                               "erfc",
                                               "exp",
                                               "exp10",
                                               "exp10m1",
                                               "exp2",
                                               "exp2m1",
                                               "expm1",
                                               "fabs",
                                               "fdim",
                                               "finite",
                                               "floor",
                                               "fma",
                                               "fmax",
                                               "fmaximum",
                                               "fmaximum_mag",
                                               "fmaximum_mag_num",
                                               "fmaximum_num",
                                               "fmaxmag",
                                               "fmin",
                                               "fminimum",
                                               "fminimum_mag",
                                               "fminimum_mag_num",
                                               "fminimum_num",
                                               "fminmag",
                                               "fmod",
                                               "frexp",
                                               "fromfp",
                                               "fromfpx",
                                               "gamma",
                                               "getpayload",
                                               "hypot",
                                               "ilogb",
                                               "isinf",
                                               "isnan",
                                               "j0",
                                               "j1",
                                               "jn",
                                               "ldexp",
                                               "lgamma",
                                               "lgamma_r",
                                               "llogb",
                                               "llrint",
                                               "llround",
                                               "log",
                                               "log10",
                                               "log10p1",
                                               "log1p",
                                               "log2",
                                               "log2p1",
                                               "logb",
                                               "logp1",
                                               "lrint",
                                               "lround",
                                               "modf",
                                               "nan",
                                               "nearbyint",
                                               "nextafter",
                                               "nextdown",
                                               "nexttoward",
                                               "nextup",
                                               "pow",
                                               "pow10",
                                               "pown",
                                               "powr",
                                               "remainder",
                                               "remquo",
                                               "rint",
                                               "rootn",
                                               "round",
                                               "roundeven",
                                               "rsqrt",
                                               "scalb",
                                               "scalbln",
                                               "scalbn",
                                               "setpayload",
                                               "setpayloadsig",
                                               "significand",
                                               "sin",
                                               "sincos",
                                               "sinh",
                                               "sinpi",
                                               "sqrt",
                                               "tan",
                                               "tanh",
                                               "tanpi",
                                               "tgamma",
                                               "totalorder",
                                               "totalordermag",
                                               "trunc",
                                               "ufromfp",
                                               "ufromfpx",
                                               "y0",
                                               "y1",
                                               "yn"};

// Macros, types and other functions of math.h.
constexpr std::string_view kMathNames[] = {"DOMAIN",
                                           "HUGE",
                                           "INFINITY",
                                           "MATH_ERREXCEPT",
                                           "MATH_ERRNO",
                                           "MAXFLOAT",
                                           "NAN",
                                           "NULL",
                                           "OVERFLOW",
                                           "PLOSS",
                                           "SING",
                                           "TLOSS",
                                           "UNDERFLOW",
                                           "X_TLOSS",
                                           "daddl",
                                           "ddivl",
                                           "dfmal",
                                           "dmull",
                                           "double_t",
                                           "dsqrtl",
                                           "dsubl",
                                           "fadd",
                                           "faddl",
                                           "fdiv",
                                           "fdivl",
                                           "ffma",
                                           "ffmal",
                                           "float_t",
                                           "fmul",
                                           "fmull",
                                           "fpclassify",
                                           "fsqrt",
                                           "fsqrtl",
                                           "fsub",
                                           "fsubl",
                                           "iscanonical",
                                           "iseqsig",
                                           "isfinite",
                                           "isgreater",
                                           "isgreaterequal",
                                           "isless",
                                           "islessequal",
                                           "islessgreater",
                                           "isnormal",
                                           "issignaling",
                                           "issubnormal",
                                           "isunordered",
                                           "iszero",
                                           "math_errhandling",
                                           "matherr",
                                           "signbit",
                                           "signgam"};

// Names that compilers know without a header, or that most programs include.
constexpr std::string_view kLibraryNames[] = {
    "abort",   "abs",    "atof",     "atoi",    "atol",    "atoll",  "bsearch", "calloc",
    "div",     "errno",  "exit",     "fclose",  "ffs",     "fopen",  "fprintf", "fputs",
    "fread",   "free",   "fscanf",   "fwrite",  "getchar", "getenv", "gets",    "index",
    "labs",    "ldiv",   "llabs",    "lldiv",   "malloc",  "memchr", "memcmp",  "memcpy",
    "memmove", "memset", "printf",   "putchar", "puts",    "qsort",  "rand",    "realloc",
    "rindex",  "scanf",  "snprintf", "sprintf", "srand",   "sscanf", "std",     "stderr",
    "stdin",   "stdout", "strcat",   "strchr",  "strcmp",  "strcpy", "strlen",  "strncmp",
    "strncpy", "strstr", "strtod",   "strtof",  "strtol",  "system", "vprintf"};

// Parameters of the exported function, main, and names that compilers define.
constexpr std::string_view kOtherNames[] = {"i386", "in",    "linux", "main", "mips",
                                            "out",  "sparc", "sun",   "unix", "vax"};

// Prefixes of constants such as M_PI and FP_NAN, which differ between systems.
constexpr std::string_view kPrefixes[] = {"FP_", "HUGE_VAL", "M_", "SNAN"};

// Suffixes of math.h functions for the type of their numbers; longer ones first.
constexpr std::string_view kSuffixes[] = {"f128x", "f128", "f64x", "f64", "f32x",
                                          "f32",   "f16",  "f",    "l"};
constexpr std::string_view kNarrowed[] = {"add", "div", "fma", "mul", "sqrt", "sub"};

template <std::size_t N>
bool contains(const std::string_view (&names)[N], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// log from logf, logl and logf32x; log10 from log10.
std::string_view without_suffix(std::string_view name) {
  for (const std::string_view suffix : kSuffixes) {
    if (name.ends_with(suffix)) return name.substr(0, name.size() - suffix.size());
  }
  return name;
}

// True for f32addf64 and similar sums of wide numbers that are rounded once.
bool is_narrowing_function(std::string_view name) {
  return std::any_of(std::begin(kSuffixes), std::end(kSuffixes), [&](std::string_view type) {
    if (type.size() < 3 || !name.starts_with(type)) return false;
    const std::string_view rest = name.substr(type.size());
    return without_suffix(rest) != rest && contains(kNarrowed, without_suffix(rest));
  });
}

bool is_math_function(std::string_view name) {
  const std::string_view reentrant = name.ends_with("_r") ? name.substr(0, name.size() - 2) : "";
  return contains(kMathFunctions, name) || contains(kMathFunctions, without_suffix(name)) ||
         without_suffix(reentrant) == "lgamma" || is_narrowing_function(name);
}

bool is_taken(std::string_view name) {
  return contains(kKeywords, name) || is_math_function(name) || contains(kMathNames, name) ||
         contains(kLibraryNames, name) || contains(kOtherNames, name) ||
         std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool is_identifier(std::string_view name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return letter(c) || (c >= '0' && c <= '9');
  });
}

}  // namespace

void check_c_name(const std::string& name) {
  // Underscores at these positions are reserved for compilers and their libraries.
  const bool reserved = name.starts_with('_') || name.find("__") != std::string::npos;
  if (!is_identifier(name) || reserved) {
    fail(ErrorKind::bad_option,
         "name must be a C identifier (letters, digits and single underscores, beginning with a "
         "letter), not '{}'.",
         name);
  }
  if (is_taken(name)) {
    fail(ErrorKind::bad_option, "name must be a name that C and C++ do not use, but '{}' is taken.",
         name);
  }
}

}  // namespace knotwork::exporting
