// SPDX-License-Identifier: MIT
// The functions of this header draw figures as SVG for papers and browsers, or as text for
// terminals.
//
// Each *_figure function turns plain data into a complete SVG document: it needs no other file, no
// font but "sans-serif" and no script, and stays readable in gray print. Curves have a gap where a
// value is not finite or beyond 1e100.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/names.hpp>
#include <knotwork/points.hpp>

namespace knotwork {

// One neuron. Empty members are not drawn.
struct ActivationPanel {
  std::string title = "";            // "layer 1, neuron 3"
  FigurePoints learned = {};         // a solid line
  FigurePoints initial = {};         // dashed
  FigurePoints truth = {};           // broad and pale: the true curve, where it is known
  FigurePoints control_points = {};  // markers
  InputHistogram received = {};      // light bars along the bottom, on their own scale
  FigurePoints room_for = {};        // not drawn, but the axes include these points
};

struct ActivationFigureOptions {
  std::string title = "";
  std::size_t columns = 3;  // 1 to 3; never more than there are panels
  std::string x_label = "input";
  std::string y_label = "output";
  bool legend = true;
};

KNOTWORK_API std::string activation_figure(const std::vector<ActivationPanel>& panels,
                                           const ActivationFigureOptions& options = {});

struct LineSeries {
  std::string name;
  FigurePoints points;  // in the order in which they are joined
};

struct LineFigure {
  std::string title = "", x_label = "", y_label = "";
  bool log_x = false;  // points with x <= 0 are left out on a logarithmic axis
  bool log_y = false;
  std::vector<LineSeries> series = {};
  bool markers = true;  // one at each point; for few points
};

KNOTWORK_API std::string line_figure(const LineFigure& figure);

// One line of dots: a dot for each score, and the mean with an interval of one standard deviation
// on either side.
struct ScoreRow {
  std::string name;
  std::vector<double> scores;  // scores that are not finite are left out
  double mean = 0;             // not finite: no mean is drawn, and the row says "failed"
  double deviation = 0;
};

// Fits a phone screen: names are above their dots. The axis is logarithmic if the largest score is
// far above the smallest.
struct ScoreFigure {
  std::string title = "", label = "";
  std::vector<ScoreRow> rows = {};
  std::optional<std::size_t> reference = {};  // the row whose mean is drawn through all rows
};

KNOTWORK_API std::string score_figure(const ScoreFigure& figure);

// Points of one or more groups, e.g. predicted against true values.
enum class GuideLine { none, diagonal, zero };
template <>
struct EnumNames<GuideLine> {
  static constexpr EnumFamily family{"guide line"};
  static constexpr EnumName<GuideLine> all[] = {
      {GuideLine::none, "none"},
      {GuideLine::diagonal, "diagonal"},
      {GuideLine::zero, "zero"},
  };
};
struct ScatterFigure {
  std::string title = "", x_label = "", y_label = "";
  std::vector<LineSeries> groups = {};  // the points are not joined
  // y = x (both axes then have the same range) or y = 0.
  GuideLine guide = GuideLine::none;
};

KNOTWORK_API std::string scatter_figure(const ScatterFigure& figure);

// Horizontal bars from 0, each with an interval of one standard deviation around its end. Fits a
// phone screen: names are above their bars.
struct BarRow {
  std::string name;
  double value = 0;
  double deviation = 0;  // 0: no interval is drawn
};
struct BarFigure {
  std::string title = "", label = "";
  std::vector<BarRow> rows = {};
};

KNOTWORK_API std::string bar_figure(const BarFigure& figure);

struct HistogramFigure {
  std::string title = "", x_label = "";
  InputHistogram bars = {};  // at least one count above 0
};

KNOTWORK_API std::string histogram_figure(const HistogramFigure& figure);

// How predictions depend on one column: a broad line for the means, thin pale lines below it for
// single rows, and short strokes along the bottom where rows lie within the range of the lines.
// Texts are at the places 0, 1, ... with their names below the axis; since nothing lies between two
// texts, dots replace the lines. Rings on the right are the means for missing cells.
struct DependenceFigure {
  std::string title = "", x_label = "", y_label = "";
  std::vector<LineSeries> means = {};
  std::vector<FigurePoints> single = {};
  std::vector<double> strokes = {};
  std::vector<std::string> categories = {};
  bool dates = false;  // whether places are seconds since 1970-01-01 UTC, with dates below the axis
  std::vector<double> missing = {};  // one for each mean, or none
};

KNOTWORK_API std::string dependence_figure(const DependenceFigure& figure);

// How often each class was predicted as each class: rows are true classes, columns predicted
// classes. Cells are shaded by their share of the row and show the count where it fits. At most 100
// classes.
struct ConfusionFigure {
  std::string title = "";
  std::vector<std::string> classes = {};
  std::vector<std::vector<double>> counts = {};
};

KNOTWORK_API std::string confusion_figure(const ConfusionFigure& figure);

// Observed shares against predicted probabilities, with the diagonal. The size of a dot shows the
// number of rows in its bin.
struct ReliabilitySeries {
  std::string name;
  FigurePoints points;
  std::vector<double> rows;  // of each point
};
struct ReliabilityFigure {
  std::string title = "";
  std::vector<ReliabilitySeries> series = {};
};

KNOTWORK_API std::string reliability_figure(const ReliabilityFigure& figure);

// A network as columns of nodes, inputs first, joined by lines whose width shows the weight (solid
// above 0, dashed below). If a column has too many nodes, only the first nodes are drawn and the
// other nodes are counted. To choose which nodes are drawn, pass only these nodes and set
// nodes_in_all.
struct NetworkLayer {
  std::string name;  // "splines", below the column
  // A name for each node, shown beside the first and the last column; may be empty texts.
  std::vector<std::string> nodes;
  // [node of this column][node of the column before]; empty for the first column, and where no
  // lines are drawn. A bank of input splines has 1 and 0.
  std::vector<std::vector<double>> weights = {};
  // A small curve to draw inside each node; may be empty.
  std::vector<FigurePoints> curves = {};
  std::size_t nodes_in_all = 0;  // the true number, if `nodes` is a selection
};
struct NetworkFigure {
  std::string title = "";
  std::vector<NetworkLayer> layers = {};
  std::size_t most_nodes = 12;  // drawn in a column
};

KNOTWORK_API std::string network_figure(const NetworkFigure& figure);

// How scores become shades: in proportion, or by rank, which shows the differences among good
// scores even if a few scores are very bad.
enum class Shading { value, rank };
template <>
struct EnumNames<Shading> {
  static constexpr EnumFamily family{"shading"};
  static constexpr EnumName<Shading> all[] = {{Shading::value, "value"}, {Shading::rank, "rank"}};
};

struct HeatMap {
  std::string title = "", x_label = "", y_label = "", score_label = "";
  std::vector<std::string> x_names = {};  // from left to right; "2^-3" is drawn with an exponent
  std::vector<std::string> y_names = {};  // from bottom to top
  // scores[y * x_names.size() + x]; NaN: not tried; infinite: failed.
  std::vector<double> scores = {};
  bool lower_is_better = true;
  Shading shading = Shading::value;
};

// "2^-3" for a power of two, otherwise the value with at most 4 digits.
KNOTWORK_API std::string power_name(double value);

// Index in `scores` of the best score, the first of equal scores; empty if no score is finite.
KNOTWORK_API std::optional<std::size_t> best_cell(const HeatMap& map);

// Better scores are darker.
KNOTWORK_API std::string heat_map_figure(const HeatMap& map);

struct HeatMapTextOptions {
  std::size_t width = 100;  // largest line length in characters; at least 20
  bool unicode = false;     // block characters instead of ASCII
};

// The map as lines of characters: better scores are denser, the best cell is B, failed cells are x,
// and cells not tried are blank.
KNOTWORK_API std::vector<std::string> heat_map_text(const HeatMap& map,
                                                    const HeatMapTextOptions& options = {});

// --- Curves drawn in characters, for terminals ---------------------------------------------------

struct PlotSeries {
  char mark = '*';
  std::function<double(double)> curve;
};

struct PlotOptions {
  double begin = -1;
  double end = 1;
  std::size_t width = 48;  // of the drawing area, in characters; at least 2
  std::size_t height = 11;
};

// Lines of equal length: the drawing with the y scale to the left and the x scale below. Where
// series cross, the later one is visible. Values that are not finite are left out.
KNOTWORK_API std::vector<std::string> plot_curves(const std::vector<PlotSeries>& series,
                                                  const PlotOptions& options);

struct TitledPlot {
  std::string title;
  std::vector<std::string> lines;  // from plot_curves()
};

// Small multiples: as many plots in a row as fit into `width` characters, each below its title,
// with an empty line between rows.
KNOTWORK_API std::vector<std::string> curves_side_by_side(const std::vector<TitledPlot>& plots,
                                                          std::size_t width);

}  // namespace knotwork
