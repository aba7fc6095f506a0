// SPDX-License-Identifier: MIT
// Figures for papers and browsers, and what a terminal can show of them.
//
// Each *_figure is a function from plain data to a complete SVG document: it needs no other file,
// no font but "sans-serif" and no script, and stays readable in grey print. Values that are not
// finite, or beyond 1e100, are left out of curves, which then have a gap there.
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

// One neuron. Whatever is empty is not drawn.
struct ActivationPanel {
  std::string title = "";            // "layer 1, neuron 3"
  FigurePoints learned = {};         // a solid line
  FigurePoints initial = {};         // dashed
  FigurePoints truth = {};           // broad and pale: the curve to be found, where it is known
  FigurePoints control_points = {};  // markers
  InputHistogram received = {};      // light bars along the bottom, with a scale of their own
  FigurePoints room_for = {};        // not drawn, but the axes reach that far
};

struct ActivationFigureOptions {
  std::string title = "";
  std::size_t columns = 3;  // 1 to 3; no more are used than there are panels
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
  bool log_x = false;  // what is not above 0 has no place on a logarithmic axis and is left out
  bool log_y = false;
  std::vector<LineSeries> series = {};
  bool markers = true;  // at every point; many points are better without
};

KNOTWORK_API std::string line_figure(const LineFigure& figure);

// One line of dots: a point for each score, and their mean with an interval of one deviation on
// either side.
struct ScoreRow {
  std::string name;
  std::vector<double> scores;  // those that are not finite have no place
  double mean = 0;             // not finite: there is none, and the row says "failed"
  double deviation = 0;
};

// Narrow enough for a telephone: names stand above their dots. The axis is logarithmic where the
// largest score is far above the smallest.
struct ScoreFigure {
  std::string title = "", label = "";
  std::vector<ScoreRow> rows = {};
  std::optional<std::size_t> reference = {};  // whose mean is drawn through all rows
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
  std::vector<LineSeries> groups = {};  // points that are not joined
  // y = x, where both axes then have one range, or y = 0.
  GuideLine guide = GuideLine::none;
};

KNOTWORK_API std::string scatter_figure(const ScatterFigure& figure);

// Horizontal bars from 0, with an interval of one deviation on either side of their ends. Narrow
// enough for a telephone: names stand above their bars.
struct BarRow {
  std::string name;
  double value = 0;
  double deviation = 0;  // 0: none is drawn
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

// How predictions depend on one column: a broad line for each mean, thin pale lines for single rows
// below them, short strokes along the bottom where the rows lie, as far as the lines reach. For
// texts the places are 0, 1, ... and their names stand below the axis; nothing lies between two of
// them, so that dots stand there instead of lines.
struct DependenceFigure {
  std::string title = "", x_label = "", y_label = "";
  std::vector<LineSeries> means = {};
  std::vector<FigurePoints> single = {};
  std::vector<double> strokes = {};
  std::vector<std::string> categories = {};
};

KNOTWORK_API std::string dependence_figure(const DependenceFigure& figure);

// How often each class was taken for each other: rows are true classes, columns predicted ones.
// Shaded by the share of the row; the counts stand in the cells where there is room. At most 100
// classes.
struct ConfusionFigure {
  std::string title = "";
  std::vector<std::string> classes = {};
  std::vector<std::vector<double>> counts = {};
};

KNOTWORK_API std::string confusion_figure(const ConfusionFigure& figure);

// Observed shares against predicted probabilities with the diagonal; dots as large as their bins
// have rows.
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

// A network as columns of nodes, inputs first, joined by lines as strong as their weights (solid
// above 0, dashed below). Of many nodes only the first are drawn, and the rest is counted; who
// would rather have others drawn hands over those, and how many there are.
struct NetworkLayer {
  std::string name;  // "splines", below the column
  // A name for each, shown beside the first and the last column; may be empty texts.
  std::vector<std::string> nodes;
  // [node of this column][node of the column before]; empty for the first one, and where no lines
  // are to be drawn. A bank of input splines has 1 and 0.
  std::vector<std::vector<double>> weights = {};
  // Of each node, a small curve to be drawn inside; may be empty.
  std::vector<FigurePoints> curves = {};
  std::size_t nodes_in_all = 0;  // where `nodes` are only some of them
};
struct NetworkFigure {
  std::string title = "";
  std::vector<NetworkLayer> layers = {};
  std::size_t most_nodes = 12;  // of a column that are drawn
};

KNOTWORK_API std::string network_figure(const NetworkFigure& figure);

// How scores become shades: in proportion, or by their rank, which shows the differences among good
// scores even if a few are very bad.
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
  // scores[y * x_names.size() + x]; NaN: not tried, infinite: tried and failed.
  std::vector<double> scores = {};
  bool lower_is_better = true;
  Shading shading = Shading::value;
};

// "2^-3" for a power of two, otherwise the value with at most 4 digits.
KNOTWORK_API std::string power_name(double value);

// Index in `scores` of the best one, the first of equals; nothing if no score is finite.
KNOTWORK_API std::optional<std::size_t> best_cell(const HeatMap& map);

// The better the darker.
KNOTWORK_API std::string heat_map_figure(const HeatMap& map);

struct HeatMapTextOptions {
  std::size_t width = 100;  // no line is longer, in characters; at least 20
  bool unicode = false;     // block characters instead of ASCII
};

// The map in lines of characters: the better the denser, B for the best cell, x for failed ones and
// blanks for those not tried.
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

// Lines of equal length: the drawing with its scale of y to the left and of x below. Where series
// meet, the later one is seen. Values that are not finite are left out.
KNOTWORK_API std::vector<std::string> plot_curves(const std::vector<PlotSeries>& series,
                                                  const PlotOptions& options);

struct TitledPlot {
  std::string title;
  std::vector<std::string> lines;  // as plot_curves() makes them
};

// Small multiples: as many plots in a row as fit in `width` characters, each below its title, and
// an empty line between the rows.
KNOTWORK_API std::vector<std::string> curves_side_by_side(const std::vector<TitledPlot>& plots,
                                                          std::size_t width);

}  // namespace knotwork
