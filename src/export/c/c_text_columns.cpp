// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <numeric>

#include "export/c/c_parts.hpp"
#include "export/c/c_text.hpp"

namespace knotwork::exporting {
namespace {

// Byte by byte like strcmp(), so that the header needs math.h only.
constexpr const char kFind[] =
    R"(/* The place of a text in a sorted list, or -1. */
static inline int {0}_find(const char *text, const char *const *texts, int n) {{
  int low = 0, high = n - 1;
  while (low <= high) {{
    const int middle = low + (high - low) / 2;
    const char *a = text, *b = texts[middle];
    while (*a != '\0' && *a == *b) {{
      ++a;
      ++b;
    }}
    if (*a == *b) return middle;
    if ((unsigned char)*a < (unsigned char)*b) {{
      high = middle - 1;
    }} else {{
      low = middle + 1;
    }}
  }}
  return -1;
}}

)";

// Everything but letters, digits and plain signs as octal digits, which end after three: a literal
// must not depend on the compiler's character set, and must not contain trigraphs.
std::string literal(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const bool plain = c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '?';
    if (plain) {
      quoted += c;
    } else {
      append(quoted, "\\{:03o}", static_cast<std::uint8_t>(c));
    }
  }
  return quoted + "\"";
}

template <class Entry>
std::string list_of(const std::string& declaration, std::size_t count, const Entry& entry) {
  constexpr std::size_t kLineWidth = 100;
  std::string text = fmt::format("static const {}[{}] = {{", declaration, count);
  std::string line = "\n   ";
  for (std::size_t k = 0; k < count; ++k) {
    const std::string one = entry(k) + (k + 1 < count ? "," : "};\n");
    if (line.size() + 1 + one.size() > kLineWidth && line.size() > 4) {
      text += line;
      line = "\n   ";
    }
    line += ' ' + one;
  }
  return text + line;
}

std::string text_column(const CContext& context, std::size_t c) {
  const ExportColumn& column = context.columns.columns[c];
  const std::vector<std::string>& texts = column.texts();
  const std::string& name = context.name;
  std::vector<std::size_t> order(texts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return texts[a] < texts[b]; });
  const bool sorted = std::is_sorted(order.begin(), order.end());
  std::string result = fmt::format("/* The texts of '{}'. */\n", c_comment_text(column.name));
  result += list_of(fmt::format("char *const {}_texts_{}", name, c), texts.size(),
                    [&](std::size_t k) { return literal(texts[order[k]]); });
  if (!sorted) {
    result += list_of(fmt::format("int {}_places_{}", name, c), texts.size(),
                      [&](std::size_t k) { return fmt::format("{}", order[k]); });
  }
  const std::string_view type = c_type(context.type);
  const bool is_empty_known = std::find(texts.begin(), texts.end(), "") != texts.end();
  append(result, "/* The element in[{}] for a text. */\n", c);
  append(result, "static inline {} {}_text_{}(const char *text) {{\n", type, name, c);
  append(result, "  int k;\n  if (!text{}) return ({})NAN;\n",
         is_empty_known ? "" : " || *text == '\\0'", type);
  append(result, "  k = {0}_find(text, {0}_texts_{1}, {2});\n", name, c, texts.size());
  if (sorted) {
    append(result, "  return ({})k;\n}}\n\n", type);
  } else {
    append(result, "  return ({0})(k < 0 ? k : {1}_places_{2}[k]);\n}}\n\n", type, name, c);
  }
  return result;
}

}  // namespace

std::string c_text_columns(const CContext& context) {
  std::string text;
  for (std::size_t c = 0; c < context.columns.columns.size(); ++c) {
    if (!context.columns.columns[c].text) continue;
    if (text.empty()) append(text, kFind, context.name);
    text += text_column(context, c);
  }
  return text;
}

}  // namespace knotwork::exporting
