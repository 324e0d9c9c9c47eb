package import CommandLine
import Diagnostics
package import JSONCore
import JournalFormat
import JournalReading
package import TimeTravel

package struct OriginStory {
    /// As wide as `computed` and the space after it.
    package static let margin = 10
    private static let pathRoom = 24

    package let origin: Origin
    private let place: JSONPointer
    private let scope: StoreScope
    package let records: [RecordSummary]

    package init(_ origin: Origin, of place: JSONPointer, _ scope: StoreScope) throws {
        (self.origin, self.place, self.scope) = (origin, place, scope)
        records = try origin.hops.map { RecordSummary(try Record($0.record), scope: scope) }
    }

    /// The lines of at most `width` columns, the newest hop first.
    package func lines(_ style: Style, width: Int?) -> [String] {
        let table = ChangeTable(style: style, width: width)
        let title = style(.path, ControlCharacters.escaped(scope.text(of: place))) + "   "
        let value = table.value(origin.value, after: DisplayWidth.of(title))
        var lines = [DisplayWidth.clipped(title + value, to: width), ""]
        for (hop, line) in zip(origin.hops, hopLines(style, width: width)) {
            lines.append(line)
            if !hop.candidates.isEmpty { lines.append(style(.dim, candidates(hop, width))) }
        }
        return lines
    }

    /// A line of at most `width` columns for each hop, the newest first, without the places where an equal value stood.
    package func hopLines(_ style: Style, width: Int?) -> [String] {
        let records = records.map(\.withoutCause)
        var columns = CommitLine(style: style, width: width.map { $0 - Self.margin }, rest: width.map { $0 / 2 } ?? 0)
        for (hop, record) in zip(origin.hops, records) {
            let path = DisplayWidth.of(ControlCharacters.escaped(scope.text(of: hop.path)))
            columns.measure(record, followedBy: path)
        }
        return zip(origin.hops, records).map { hop, record in
            let how = DisplayWidth.padded(hop.how.rawValue, to: Self.margin)
            let start = style(hop.basis == .recorded ? .heading : .dim, how) + columns.padded(record) + "  "
            let path = ControlCharacters.escaped(scope.text(of: hop.path))
            let room = width.map { max(Self.pathRoom, $0 - DisplayWidth.of(start)) } ?? .max
            return DisplayWidth.clipped(start + style(.path, DisplayWidth.shortenedInMiddle(path, to: room)), to: width)
        }
    }

    private func candidates(_ hop: Origin.Hop, _ width: Int?) -> String {
        let places = hop.candidates.map { ControlCharacters.escaped(scope.text(of: $0)) }.joined(separator: ", ")
        let text = "an equal value stood at " + places
        return String(repeating: " ", count: Self.margin)
            + DisplayWidth.shortened(text, to: width.map { $0 - Self.margin } ?? .max)
    }
}

extension Origin.End {
    /// Why the way goes no further, where the last hop does not say it.
    package var words: String? {
        switch self {
        case .complete: nil
        case .limit: "the value goes further back"
        case .lost: "it was written by a commit that was lost"
        case .unknown: "no record of the journal wrote it"
        case .damaged(let error): ControlCharacters.escaped(error.diagnostic.message)
        }
    }
}
