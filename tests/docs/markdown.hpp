// SPDX-License-Identifier: MIT
// This header parses the parts of Markdown that checks need: fenced blocks of code and links.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace knotwork::docs {

using Lines = std::vector<std::string>;

struct Block {
  std::string language;  // the word after the opening fence
  Lines lines;           // without the indentation of the fence
  std::size_t line = 0;  // line of the document with the first of them, from 1
  bool run = true;       // false below <!-- not run: reason -->
};

struct Link {
  std::string target;
  std::size_t line = 0;
};

Lines split_lines(const std::string& text);
// Throws std::runtime_error if a fence is not closed.
std::vector<Block> code_blocks(const std::string& markdown);
// Targets of [text](target), ![text](target) and [text]: target outside of code.
std::vector<Link> links(const std::string& markdown);

}  // namespace knotwork::docs
