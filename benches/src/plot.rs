//! Plots as SVG by hand: lines over a logarithmic scale, and bars over a linear one.
//!
//! The colours follow the reader's scheme, light or dark. Names stand at the end of their lines
//! and bars, so that no legend has to be matched by colour. The first line is the one that a
//! plot is about, and drawn thicker.

use std::fmt::Write;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 400.0;
const TOP: f64 = 58.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 225.0;
const BOTTOM: f64 = 46.0;

/// The least distance of two names.
const LINE: f64 = 15.0;

/// Colours for a light and a dark page, in the order of the series.
const COLOURS: [(&str, &str); 10] = [
    ("#0550ae", "#6cb6ff"),
    ("#116329", "#57ab5a"),
    ("#57606a", "#adbac7"),
    ("#953800", "#f69d50"),
    ("#8250df", "#dcbdfb"),
    ("#bf3989", "#fc8dc7"),
    ("#9a6700", "#daaa3f"),
    ("#cf222e", "#ff938a"),
    ("#1b7c83", "#56d4dd"),
    ("#6e7781", "#909dab"),
];

/// A line: a value for each place on the x axis.
#[derive(Clone, Debug)]
pub struct Series {
    /// What stands at the end of the line.
    pub name: String,
    /// The values, above 0.
    pub values: Vec<f64>,
}

/// Draws lines over places that are the same distance apart, with a logarithmic y axis.
///
/// # Panics
///
/// Panics if there is no series, or one has less values than there are places.
pub fn lines(title: &str, unit: &str, x_name: &str, places: &[&str], series: &[Series]) -> String {
    assert!(!series.is_empty(), "nothing to draw");
    let all = || series.iter().flat_map(|series| &series.values).copied();
    let low = all().fold(f64::INFINITY, f64::min).log10().floor();
    let high = all().fold(0.0, f64::max).log10().ceil().max(low + 1.0);
    let step = (WIDTH - LEFT - RIGHT - 40.0) / (places.len().max(2) - 1) as f64;
    let x = |at: usize| LEFT + 20.0 + step * at as f64;
    let y = |value: f64| {
        HEIGHT - BOTTOM - (value.log10() - low) / (high - low) * (HEIGHT - BOTTOM - TOP)
    };

    let mut svg = head(title, unit, HEIGHT);
    let mut exponent = low;
    while exponent <= high {
        let value = 10_f64.powf(exponent);
        let at = y(value);
        let (right, text) = (WIDTH - RIGHT, time(value));
        let _ = writeln!(svg, r#"<path class="grid" d="M{LEFT} {at:.1}H{right}"/>"#);
        let _ = writeln!(
            svg,
            r#"<text class="axis" x="{}" y="{:.1}" text-anchor="end">{text}</text>"#,
            LEFT - 8.0,
            at + 4.0
        );
        exponent += 1.0;
    }
    let below = HEIGHT - BOTTOM + 18.0;
    for (at, place) in places.iter().enumerate() {
        let x = x(at);
        let _ = writeln!(
            svg,
            r#"<text class="axis" x="{x:.1}" y="{below}" text-anchor="middle">{place}</text>"#
        );
    }
    let middle = f64::midpoint(LEFT, WIDTH - RIGHT);
    let _ = writeln!(
        svg,
        r#"<text class="axis" x="{middle}" y="{}" text-anchor="middle">{x_name}</text>"#,
        below + 18.0
    );

    let last = places.len() - 1;
    // The first is drawn last, over the others.
    for (at, line) in series.iter().enumerate().rev() {
        let class = if at == 0 { "line first" } else { "line" };
        let points = line.values.iter().enumerate();
        let points: Vec<_> =
            points.map(|(at, value)| format!("{:.1},{:.1}", x(at), y(*value))).collect();
        let points = points.join(" ");
        let _ = writeln!(svg, r#"<polyline class="{class} s{at}" points="{points}"/>"#);
        for (place, value) in line.values.iter().enumerate() {
            let (x, y) = (x(place), y(*value));
            let _ = writeln!(svg, r#"<circle class="f{at}" cx="{x:.1}" cy="{y:.1}" r="3"/>"#);
        }
    }
    let ends = series.iter().map(|line| y(line.values[last])).collect();
    for (at, height) in apart(ends).into_iter().enumerate() {
        let (x, name) = (x(last) + 12.0, escape(&series[at].name));
        let value = time(series[at].values[last]);
        let weight = if at == 0 { " bold" } else { "" };
        let _ = writeln!(
            svg,
            r#"<text class="f{at}{weight}" x="{x:.1}" y="{:.1}">{name}, {value}</text>"#,
            height + 4.0
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// Draws a bar for each name, with a linear scale from 0.
pub fn bars(
    title: &str,
    unit: &str,
    bars: &[(&str, f64)],
    label: impl Fn(f64) -> String,
) -> String {
    const BAR: f64 = 24.0;
    /// Of a letter in bold, on average.
    const LETTER: f64 = 7.3;
    let letters = bars.iter().map(|bar| bar.0.chars().count()).max().unwrap_or(0);
    let names = letters as f64 * LETTER + 16.0;
    let longest = bars.iter().map(|bar| bar.1).fold(f64::MIN_POSITIVE, f64::max);
    let scale = (WIDTH - names - 100.0) / longest;
    let mut svg = head(title, unit, TOP + BAR * bars.len() as f64 + 12.0);
    for (at, (name, value)) in bars.iter().enumerate() {
        let top = TOP + BAR * at as f64;
        let (text, width) = (label(*value), (value * scale).max(1.0));
        // The library's own in the first colour, all others in the grey one.
        let (colour, weight) = if name.contains("bp") { (0, " bold") } else { (2, "") };
        let (name, middle, height) = (escape(name), top + 14.0, BAR - 6.0);
        let (left, right) = (names - 8.0, names + width + 6.0);
        let _ = writeln!(
            svg,
            r#"<text class="axis{weight}" x="{left:.1}" y="{middle}" text-anchor="end">{name}</text>
<rect class="f{colour}" x="{names:.1}" y="{top}" width="{width:.1}" height="{height}"/>
<text class="axis{weight}" x="{right:.1}" y="{middle}">{text}</text>"#
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// Opens an image, with its styles, its title and below that the unit.
fn head(title: &str, unit: &str, height: f64) -> String {
    let mut light = String::new();
    let mut dark = String::new();
    for (at, (on_light, on_dark)) in COLOURS.iter().enumerate() {
        // Not by a variable, which not everything that shows an SVG knows.
        let _ = write!(light, ".s{at}{{stroke:{on_light}}}.f{at}{{fill:{on_light}}}");
        let _ = write!(dark, ".s{at}{{stroke:{on_dark}}}.f{at}{{fill:{on_dark}}}");
    }
    let title = escape(title);
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" aria-label="{title}">
<style>
text{{font:12px system-ui,sans-serif}}
.title{{font-size:15px;font-weight:600;fill:#1f2328}}.axis{{fill:#57606a}}.grid{{stroke:#d0d7de}}
.line{{fill:none;stroke-width:1.5}}.first{{stroke-width:3.5}}.bold{{font-weight:700}}
{light}
@media (prefers-color-scheme:dark){{
.title{{fill:#e6edf3}}.axis{{fill:#adbac7}}.grid{{stroke:#444c56}}
{dark}
}}
</style>
<text class="title" x="12" y="24">{title}</text>
<text class="axis" x="12" y="42">{}</text>
"#,
        escape(unit)
    )
}

/// Moves heights apart where they are too near, and returns them in the same order.
fn apart(mut heights: Vec<f64>) -> Vec<f64> {
    let mut order: Vec<usize> = (0..heights.len()).collect();
    order.sort_by(|a, b| heights[*a].total_cmp(&heights[*b]));
    // Down from the top, then up again as far as that pushed the last ones out.
    for pair in 1..order.len() {
        let least = heights[order[pair - 1]] + LINE;
        heights[order[pair]] = heights[order[pair]].max(least);
    }
    let mut most = HEIGHT - BOTTOM;
    for at in order.into_iter().rev() {
        heights[at] = heights[at].min(most);
        most = heights[at] - LINE;
    }
    heights
}

/// Writes nanoseconds in the unit that suits them.
pub fn time(ns: f64) -> String {
    let (value, unit) = match ns {
        ..1e3 => (ns, "ns"),
        ..1e6 => (ns / 1e3, "µs"),
        _ => (ns / 1e6, "ms"),
    };
    let digits = usize::from(value < 9.95 && value.fract() != 0.0);
    format!("{value:.digits$} {unit}")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;").replace('`', "")
}

#[cfg(test)]
mod tests {
    use super::{LINE, apart, time};

    #[test]
    fn names_keep_their_distance_and_their_order() {
        let heights = apart(vec![300.0, 100.0, 101.0, 353.0, 353.0]);
        assert!(heights[2] - heights[1] >= LINE && heights[1] >= 90.0);
        assert!((heights[4] - heights[3]).abs() >= LINE);
        assert!(heights.iter().all(|height| *height <= 354.0));
    }

    #[test]
    fn times_have_the_unit_that_suits_them() {
        assert_eq!(time(4.82), "4.8 ns");
        assert_eq!(time(1500.0), "1.5 µs");
        assert_eq!(time(10.0), "10 ns");
        assert_eq!(time(2e6), "2 ms");
    }
}
