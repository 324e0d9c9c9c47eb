import Diagnostics

/// The columns are as wide as the widest text seen so far, so that a list can be printed while it is read; a caller
/// that knows more lines `measure`s them first.
///
/// On a narrow screen a time loses its milliseconds first, then a place its folder; then places, functions and stores
/// are cut. What follows a line keeps its room to the last.
package struct CommitLine {
    /// No column grows wider than this: one long name must not push every line off the screen.
    static let widestColumn = 36

    private enum Column: Int, CaseIterable {
        case number, time, store, label, place, cause, rest
    }

    private let room: Int?
    /// How many columns are kept at the most for what follows a line.
    private let restLimit: Int
    private var widths = Column.allCases.map { _ in 0 }
    /// How wide times are without milliseconds, and places without their folders.
    private var (shortTime, baseName) = (0, 0)

    package init(width: Int? = nil, rest: Int = 0) { (room, restLimit) = (width, rest) }

    package mutating func measure(_ record: RecordSummary, followedBy rest: Int = 0) {
        let texts = texts(record)
        for (index, text) in texts.enumerated() {
            widths[index] = max(widths[index], min(Self.widestColumn, DisplayWidth.of(text)))
        }
        shortTime = max(shortTime, DisplayWidth.of(Self.withoutFraction(texts[Column.time.rawValue])))
        baseName = max(baseName, min(Self.widestColumn, DisplayWidth.of(Self.baseName(texts[Column.place.rawValue]))))
        let cause = Column.cause.rawValue
        // A cause is an earlier commit, so no later one needs more room than the numbers do.
        if widths[cause] > 0 { widths[cause] = max(widths[cause], widths[0] + DisplayWidth.of("← ")) }
        widths[Column.rest.rawValue] = max(widths[Column.rest.rawValue], min(restLimit, rest))
    }

    /// The line has neither an end nor spaces after its last column.
    package mutating func text(_ record: RecordSummary) -> StoryLine { padded(record).trimmed }

    /// The line is as wide as the columns are, for text that follows it.
    package mutating func padded(_ record: RecordSummary) -> StoryLine {
        measure(record)
        let widths = fittedWidths
        var texts = texts(record)
        let (time, place) = (Column.time.rawValue, Column.place.rawValue)
        if DisplayWidth.of(texts[time]) > widths[time] { texts[time] = Self.withoutFraction(texts[time]) }
        if DisplayWidth.of(texts[place]) > widths[place] { texts[place] = Self.baseName(texts[place]) }
        let roles: [Style.Role] = [.commit, .dim, .heading, .number, .location, .dim]
        return zip(zip(texts, widths), roles).filter { $0.0.1 > 0 }.map { column, role -> StoryLine in
            let line: StoryLine = "\(DisplayWidth.shortenedInMiddle(column.0, to: column.1), role)"
            return line.padded(to: column.1)
        }.joined("  ")
    }

    private var fittedWidths: [Int] {
        guard let room else { return widths }
        let (time, store, label) = (Column.time.rawValue, Column.store.rawValue, Column.label.rawValue)
        let place = Column.place.rawValue
        return ColumnFit.widths(
            widths,
            giving: [
                .part(time, to: shortTime), .part(place, to: baseName), .cut(place, downTo: 10),
                .cut(label, downTo: 10), .cut(store, downTo: 6), .cut(label, downTo: 6),
                .cut(Column.rest.rawValue, downTo: 1),
            ], in: room)
    }

    /// The time of day without a fraction of its seconds; any other text as it is.
    private static func withoutFraction(_ clock: String) -> String {
        clock.utf8.count <= 12 ? String(clock.prefix { $0 != "." }) : clock
    }

    private static func baseName(_ place: String) -> String {
        place.split(separator: "/").last.map(String.init) ?? place
    }

    private func texts(_ record: RecordSummary) -> [String] {
        let cause = record.cause.map { "← \($0)" } ?? ""
        return [record.title, record.clock, record.store ?? "", record.label, record.location ?? "", cause]
            .map(ControlCharacters.escaped)
    }
}

/// Columns are as wide as they want to be, less exactly what is missing on the screen.
///
/// What they give up is listed, the least valuable first; what was given up whole and would fit after all is given
/// back, the most valuable first.
struct ColumnFit {
    enum Concession {
        /// A part of its texts, all or nothing: it is so wide without it.
        case part(Int, to: Int)
        /// Columns, one by one, down to so many.
        case cut(Int, downTo: Int)
    }

    /// Between columns, and before what follows the last one.
    static let gap = 2

    /// The widths; a column that wants none has no gap either.
    static func widths(_ wanted: [Int], giving steps: [Concession], in room: Int) -> [Int] {
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
