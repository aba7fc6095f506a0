// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <set>

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
    compute_date(i);
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

  // Writes the lines that compute the parts of a date, before the first input that needs them.
  void compute_date(std::size_t i) {
    const std::size_t column = context_.columns.inputs[i].column;
    if (inputs()[i].kind != InputKind::date || !dates_.insert(column).second) return;
    append(body_, "  double date{0}[5];\n  {1}_date(in[{0}], date{0});\n", column, context_.name);
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
    if (input.has_levels()) return of_text(i);
    if (input.scaling.is_identity()) return plain(i);
    return from_double(scaled_in_double(i));
  }
  std::string from_double(const std::string& expression) const {
    return context_.precision == kDouble ? expression : fmt::format("(float)({})", expression);
  }

  // The value of a text from a table of scaled values.
  std::string of_text(std::size_t i) {
    const InputColumn& input = inputs()[i];
    const auto scaled = [&](double value) { return input.scaling.apply(value); };
    std::vector<double> values;
    std::transform(input.values.begin(), input.values.end(), std::back_inserter(values), scaled);
    const std::string name = fmt::format("{}_values{}", context_.name, i);
    append(arrays_, "/* '{}', scaled, for each of the texts. */\n", c_comment_text(input.name()));
    arrays_ += c_array(fmt::format("{}[{}]", name, values.size()), values, context_.precision,
                       context_.work);
    arrays_ += '\n';
    needs_levels_ = true;
    return fmt::format("{}_level({}, {}, {}, {}, {})", context_.name, cell(i), name, values.size(),
                       number(scaled(input.fill)), number(scaled(input.unseen)));
  }

  std::string part_of_date(std::size_t i) const {
    const InputColumn& input = inputs()[i];
    const std::size_t column = context_.columns.inputs[i].column;
    const auto cyclic = [&](const char* function, int place, double whole) {
      return fmt::format("{}(6.283185307179586 * (date{}[{}] / {:.1f}))", function, column, place,
                         whole);
    };
    switch (input.part) {
      case DatePart::elapsed:
        break;
      case DatePart::year:
        return fmt::format("date{}[1]", column);
      case DatePart::month_sin:
        return cyclic("sin", 2, 12);
      case DatePart::month_cos:
        return cyclic("cos", 2, 12);
      case DatePart::weekday_sin:
        return cyclic("sin", 3, 7);
      case DatePart::weekday_cos:
        return cyclic("cos", 3, 7);
      case DatePart::hour_sin:
        return cyclic("sin", 4, 1);
      case DatePart::hour_cos:
        return cyclic("cos", 4, 1);
    }
    return fmt::format("date{}[0]", column);
  }

  // Cells of dates are always double.
  std::string date_in_double(std::size_t i) const {
    const double fill = inputs()[i].fill;
    if (fill != fill) return part_of_date(i);
    return fmt::format("({0} != {0} ? {1} : {2})", cell(i), c_number(fill, kDouble),
                       part_of_date(i));
  }

  std::string plain(std::size_t i) const {
    const InputColumn& input = inputs()[i];
    if (input.kind == InputKind::date) return from_double(date_in_double(i));
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
    if (input.kind == InputKind::date) return date_in_double(i);
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
    if (needs_levels_) {
      append(text, kLevel, name, cell_type_, c_type(context_.precision));
    }
    if (!dates_.empty()) append(text, kDate, name);
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

  static constexpr const char kLevel[] =
      R"(/* The value of the text with index `cell`. */
static inline {2} {0}_level({1} cell, const {2} *values, int n,
    {2} missing, {2} other) {{
  int k;
  if (cell != cell) return missing;
  if (!(cell >= 0 && cell < ({1})n)) return other;
  k = (int)cell;
  return ({1})k == cell ? values[k] : other;
}}

)";
  // The calendar repeats after an era of 400 years, which is a whole number of weeks. Days are
  // counted from 80 eras before 1970, because C divides towards zero.
  static constexpr const char kDate[] =
      R"(/* A date in seconds since 1970-01-01 UTC: days since then, the year, the month from 0, the
   day of the week from 0 for a Sunday, and the time as a share of the day. Years here begin in
   March, so that a leap day is the last day of its year. */
static inline void {0}_date(double seconds, double *date) {{
  const double whole = floor(seconds / 86400.0);
  long day, all, of_era, year, of_year, month;
  if (seconds - seconds != 0.0) {{
    for (int k = 0; k < 5; ++k) date[k] = seconds;
    return;
  }}
  day = 11687760L + (long)(whole < -11e6 ? -11e6 : whole > 11e6 ? 11e6 : whole);
  all = day + 719468L;
  of_era = all % 146097L;
  year = (of_era - of_era / 1460L + of_era / 36524L - of_era / 146096L) / 365L;
  of_year = of_era - (365L * year + year / 4L - year / 100L);
  month = (5L * of_year + 2L) / 153L;
  date[0] = seconds / 86400.0;
  date[1] = (double)(year + all / 146097L * 400L - 32000L + month / 10L);
  date[2] = (double)((month + 2L) % 12L);
  date[3] = (double)((day + 4L) % 7L);
  date[4] = seconds / 86400.0 - whole;
}}

)";

  const CContext& context_;
  std::string_view cell_type_;
  std::string arrays_, body_;
  std::set<std::size_t> dates_;  // columns whose parts are computed
  bool needs_fill_ = false, needs_quantiles_ = false, needs_normal_ = false, needs_levels_ = false;
};

}  // namespace

std::string c_inputs(const CContext& context) {
  return Inputs(context).write();
}

}  // namespace knotwork::exporting
