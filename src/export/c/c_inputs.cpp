// SPDX-License-Identifier: MIT
#include <algorithm>

#include "export/c/c_parts.hpp"
#include "export/c/c_text.hpp"
#include "export/quantile_knots.hpp"

namespace knotwork::exporting {
namespace {

class Inputs {
 public:
  explicit Inputs(const CContext& context) : context_(context), cell_type_(c_type(context.type)) {}

  std::string write() {
    for (std::size_t i = 0; i < inputs().size(); i += add_run(i)) {
    }
    return arrays_ + helpers() +
           fmt::format("static inline void {}_encode(const {} *in, {} *x) {{\n{}}}\n\n",
                       context_.name, cell_type_, c_type(context_.precision), body_);
  }

 private:
  const std::vector<InputColumn>& inputs() const { return context_.model.inputs; }
  const ExportColumn& column_of(std::size_t i) const {
    return context_.columns.columns[context_.columns.inputs[i].column];
  }
  std::string cell(std::size_t i) const {
    return fmt::format("in[{}]", context_.columns.inputs[i].column);
  }
  // A number as an input of the network, and as a cell.
  std::string number(double value) const { return c_number(value, context_.precision); }
  std::string cell_number(double value) const { return c_number(value, context_.type); }
  // An expression of the type of cells as an input of the network.
  std::string as_input(const std::string& expression) const {
    if (context_.type == context_.precision) return expression;
    return fmt::format("({})({})", c_type(context_.precision), expression);
  }

  // Writes the lines for input i and the inputs after it that belong to the same run; returns the
  // number of inputs.
  std::size_t add_run(std::size_t i) {
    const std::size_t run = categories_from(i), first = context_.columns.inputs[i].category;
    if (run > 1) {
      append(body_, "  for (int k = 0; k < {}; ++k) x[{}k] = {} == ({}){} ? {} : {};\n", run,
             i == 0 ? "" : fmt::format("{} + ", i), cell(i), cell_type_,
             first == 0 ? "k" : fmt::format("(k + {})", first), number(1), number(0));
      return run;
    }
    append(body_, "  x[{}] = {};\n", i, value(i));
    return 1;
  }

  // Number of inputs from i on that are plain categories of one column, in order.
  std::size_t categories_from(std::size_t i) const {
    const auto& from = context_.columns.inputs;
    std::size_t n = 0;
    while (i + n < inputs().size() && inputs()[i + n].kind == InputKind::category &&
           inputs()[i + n].scaling.is_identity() && from[i + n].column == from[i].column &&
           from[i + n].category == from[i].category + n) {
      ++n;
    }
    return n;
  }

  std::string value(std::size_t i) {
    const InputColumn& input = inputs()[i];
    if (input.scaling.is_identity()) return plain(i);
    const std::string scaled = scaled_in_double(i);
    return context_.precision == kDouble ? scaled : fmt::format("(float)({})", scaled);
  }

  std::string plain(std::size_t i) const {
    const InputColumn& input = inputs()[i];
    if (input.kind != InputKind::numeric) {
      return fmt::format("{} ? {} : {}", question(i), number(1), number(0));
    }
    if (input.fill != input.fill) return as_input(cell(i));
    return as_input(fmt::format("{0} != {0} ? {1} : {0}", cell(i), cell_number(input.fill)));
  }

  // The condition under which a category or a missing-number indicator is 1.
  std::string question(std::size_t i) const {
    if (inputs()[i].kind == InputKind::missing) return fmt::format("{0} != {0}", cell(i));
    return fmt::format("{} == {}", cell(i),
                       cell_number(static_cast<double>(context_.columns.inputs[i].category)));
  }

  std::string raw_in_double(std::size_t i) {
    const InputColumn& input = inputs()[i];
    if (input.kind != InputKind::numeric) return fmt::format("({} ? 1.0 : 0.0)", question(i));
    if (input.fill != input.fill) {
      return context_.type == kDouble ? cell(i) : "(double)" + cell(i);
    }
    needs_fill_ = true;
    return fmt::format("{}_filled({}, {})", context_.name, cell(i), c_number(input.fill, kDouble));
  }

  std::string scaled_in_double(std::size_t i) {
    const Scaling& scaling = inputs()[i].scaling;
    const std::string raw = raw_in_double(i);
    if (scaling.quantiles.empty()) {
      const char sign = scaling.offset < 0 ? '+' : '-';
      return fmt::format("({} {} {}) * {}", raw, sign, c_number(std::abs(scaling.offset), kDouble),
                         c_number(scaling.scale, kDouble));
    }
    const QuantileKnots knots = quantile_knots(scaling);
    const std::string name = fmt::format("{}_quantiles{}", context_.name, i);
    append(arrays_, "/* Of '{}', and their ranks. */\n", c_comment_text(inputs()[i].column));
    const std::size_t n = knots.values.size();
    arrays_ += c_array(fmt::format("{}[{}]", name, n), knots.values, kDouble, context_.work);
    arrays_ += c_array(fmt::format("{}_ranks[{}]", name, n), knots.ranks, kDouble, context_.work);
    arrays_ += '\n';
    needs_quantiles_ = true;
    const std::string p = fmt::format("{}_probability({}, {}, {}_ranks, {}, {})", context_.name,
                                      raw, name, name, n, c_number(knots.last_rank, kDouble));
    if (scaling.kind == ScalingKind::uniform) return fmt::format("2.0 * {} - 1.0", p);
    needs_normal_ = true;
    return fmt::format("{}_normal({})", context_.name, p);
  }

  std::string helpers() const {
    std::string text;
    const std::string& name = context_.name;
    if (needs_fill_) {
      append(text,
             "static inline double {}_filled({} cell, double missing) {{\n"
             "  return cell != cell ? missing : {}cell;\n}}\n\n",
             name, cell_type_, context_.type == kDouble ? "" : "(double)");
    }
    if (needs_quantiles_)
      append(text, kProbability, name, context_.type == kDouble ? "" : kRoundedKnots);
    if (needs_normal_) append(text, kNormal, name);
    return text;
  }

  static constexpr const char kProbability[] =
      R"(/* Where x lies among the quantiles, from 0 to 1; linear between them. */
static inline double {0}_probability(double x, const double *q, const double *ranks, int n,
                                     double last) {{
  int low = 0, high = n - 1;
  if (x != x) return x;
  if (n == 1) return 0.5;
  if (x <= q[0]) return ranks[0] / last;
  if (x >= q[high]) return ranks[high] / last;
  while (high - low > 1) {{
    const int middle = low + (high - low) / 2;
    if (x < q[middle]) {{
      high = middle;
    }} else {{
      low = middle;
    }}
  }}
{1}  /* Halves, because a whole distance may overflow. */
  x = (x / 2.0 - q[low] / 2.0) / (q[high] / 2.0 - q[low] / 2.0);
  return (ranks[low] + x * (ranks[high] - ranks[low])) / last;
}}

)";
  static constexpr const char kRoundedKnots[] =
      R"(  /* A quantile that was rounded to float on its way here is that quantile. */
  if (x == (double)(float)q[low]) return ranks[low] / last;
  if (x == (double)(float)q[high]) return ranks[high] / last;
)";
  static constexpr const char kNormal[] =
      R"(/* The normal distribution's quantile: Abramowitz & Stegun 26.2.23, then Halley's steps. */
static inline double {0}_normal(double p) {{
  double tail, t, x;
  if (p != p) return p;
  if (p < 1e-7) p = 1e-7;
  if (p > 1.0 - 1e-7) p = 1.0 - 1e-7;
  tail = p < 0.5 ? p : 1.0 - p;
  if (tail == 0.5) return 0.0;
  t = sqrt(-2.0 * log(tail));
  x = (2.515517 + t * (0.802853 + t * 0.010328)) /
          (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
      t;
  for (int step = 0; step < 2; ++step) {{
    const double excess = 0.5 * erfc(-x / 1.4142135623730951) - tail;
    const double newton = excess / (exp(-0.5 * x * x) * 0.3989422804014327);
    x -= newton / (1.0 + 0.5 * x * newton);
  }}
  return p < 0.5 ? x : -x;
}}

)";

  const CContext& context_;
  std::string_view cell_type_;
  std::string arrays_, body_;
  bool needs_fill_ = false, needs_quantiles_ = false, needs_normal_ = false;
};

}  // namespace

std::string c_inputs(const CContext& context) {
  return Inputs(context).write();
}

}  // namespace knotwork::exporting
