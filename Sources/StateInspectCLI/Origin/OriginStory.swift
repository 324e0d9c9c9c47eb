import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// Where a value comes from, written for a person: the value, and a line for each hop.
struct OriginStory {
    /// As wide as `computed` and the space after it.
    private static let margin = 10
    /// How many columns a path has at least.
    private static let pathRoom = 24

    private let origin: Origin
    private let place: JSONPointer
    private let scope: StoreScope
    private let style: Style
    private let width: Int?

    /// A story of at most `width` columns.
    init(_ origin: Origin, of place: JSONPointer, _ scope: StoreScope, style: Style, width: Int?) {
        (self.origin, self.place, self.scope, self.style, self.width) = (origin, place, scope, style, width)
    }

    /// The lines, the newest hop first.
    func lines() throws -> [String] {
        let table = ChangeTable(style: style, width: width)
        let title = style(.path, ControlCharacters.escaped(scope.text(of: place))) + "   "
        let value = table.value(origin.value, after: DisplayWidth.of(title))
        var lines = [DisplayWidth.clipped(title + value, to: width), ""]
        let records = try origin.hops.map { RecordSummary(try Record($0.record), scope: scope).withoutCause }
        var columns = CommitLine(style: style, width: width.map { $0 - Self.margin }, rest: width.map { $0 / 2 } ?? 0)
        for (hop, record) in zip(origin.hops, records) {
            let path = DisplayWidth.of(ControlCharacters.escaped(scope.text(of: hop.path)))
            columns.measure(record, followedBy: path)
        }
        for (hop, record) in zip(origin.hops, records) {
            let how = DisplayWidth.padded(hop.how.rawValue, to: Self.margin)
            let start = style(hop.basis == .recorded ? .heading : .dim, how) + columns.padded(record) + "  "
            let path = ControlCharacters.escaped(scope.text(of: hop.path))
            let room = width.map { max(Self.pathRoom, $0 - DisplayWidth.of(start)) } ?? .max
            let line = start + style(.path, DisplayWidth.shortenedInMiddle(path, to: room))
            lines.append(DisplayWidth.clipped(line, to: width))
            if !hop.candidates.isEmpty { lines.append(style(.dim, candidates(hop))) }
        }
        return lines
    }

    /// The places at which an equal value stood, as wide as the screen.
    private func candidates(_ hop: Origin.Hop) -> String {
        let places = hop.candidates.map { ControlCharacters.escaped(scope.text(of: $0)) }.joined(separator: ", ")
        let text = "an equal value stood at " + places
        return String(repeating: " ", count: Self.margin)
            + DisplayWidth.shortened(text, to: width.map { $0 - Self.margin } ?? .max)
    }
}
