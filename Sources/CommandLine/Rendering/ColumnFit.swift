/// How wide the columns of a table are on a screen: as wide as they want to be, made less by exactly what is missing.
///
/// A caller lists what the columns give up, the least valuable first. What was given up whole and would fit after all, because
/// something after it freed more than was missing, is given back, the most valuable first.
struct ColumnFit {
    enum Step {
        /// A part of its texts, all or nothing: it is so wide without it.
        case part(Int, to: Int)
        /// Columns, one by one, down to so many.
        case cut(Int, downTo: Int)
    }

    /// Between columns, and before what follows the last one.
    static let gap = 2

    /// The widths; a column that wants none has no gap either.
    static func widths(_ wanted: [Int], giving steps: [Step], in room: Int) -> [Int] {
        var widths = wanted
        for step in steps where excess(widths, room) > 0 {
            switch step {
            case .part(let column, let width): widths[column] = min(widths[column], width)
            case .cut(let column, let least):
                widths[column] -= min(excess(widths, room), max(0, widths[column] - least))
            }
        }
        for step in steps.reversed() {
            guard case .part(let column, let width) = step, widths[column] == width else { continue }
            var whole = widths
            whole[column] = wanted[column]
            if excess(whole, room) <= 0 { widths = whole }
        }
        return widths
    }

    private static func excess(_ widths: [Int], _ room: Int) -> Int {
        widths.reduce(-gap) { $0 + ($1 > 0 ? $1 + gap : 0) } - room
    }
}
