public import JSONCore
import JournalFormat

/// Reads a trace of somebody's edits of one text, `{"startContent","endContent","txns":[{"time","patches":[[at,cut,"put"]]}]}`,
/// places counted in Unicode scalars: a commit for each transaction, the state `{"lines":[…]}`.
///
/// Lines, so that a commit has the lines that changed and not the whole text twice.
///
/// - Complexity: per edit what lies between its line and that of the edit before, and the elements that move.
public struct EditingTraceReader: ImportReader {
    private static let store = "text"

    /// A reader of traces.
    public init() {}

    /// The format.
    public var format: ImportFormat { .editingTrace }

    /// Takes the next text.
    public mutating func read(_ text: JSONValue, line: Int, into run: inout ImportedRun) throws(ImportFault) {
        let trace = try TextMembers(text, as: format.form)
        guard trace["kind"]?.string != "concurrent", (trace["numAgents"]?.number?.integerValue ?? 1) <= 1 else {
            throw .form(expected: "a sequential trace: its edits are of several people at once")
        }
        var lines = TextLines(trace["startContent"] == nil ? "" : try trace.string("startContent"))
        let place = run.location(line: line)
        let transactions = try trace.array("txns")
        var origin = ImportedRun.Origin(at: place, time: transactions.first.flatMap(Self.time))
        run.open(Self.store, ["lines": .array(lines.lines.map { .string($0.text) })], origin)
        origin.name = "edit"
        try run.items(transactions, "transaction", line: line) { (run, transaction) throws(ImportFault) in
            do throws(ImportFault) {
                let members = try TextMembers(transaction, as: "a transaction, an object with 'patches'")
                var operations: [JSONPatch.Operation] = []
                origin.time = try members.time("time")
                for edit in try members.array("patches") { operations += try lines.apply(edit) }
                try run.commit(JSONPatch(operations), to: Self.store, origin)
            } catch {
                // Edits before the one that does not fit are in the text already.
                lines = TextLines(lines: run.state(of: Self.store)?.object?["lines"]?.array ?? [])
                throw error
            }
        }
        if let end = trace["endContent"]?.string, !UTF8Order.equal(end, lines.text) {
            throw .otherEnd(expected: "endContent")
        }
    }

    private static func time(_ transaction: JSONValue) -> Timestamp? {
        (transaction.object?["time"]).flatMap(SourceTime.moment)
    }
}

/// A text by its lines, edited at places that are counted in Unicode scalars.
private struct TextLines {
    struct TextLine {
        var text: String
        /// In scalars, without the line break.
        var count: Int

        init(_ text: some StringProtocol) {
            self.text = String(text)
            count = self.text.utf8.allSatisfy { $0 < 0x80 } ? self.text.utf8.count : self.text.unicodeScalars.count
        }
    }

    private(set) var lines: [TextLine]
    /// A line and the place at which it begins: where the last edit was, since the next is mostly near.
    private var cursor = (line: 0, start: 0)

    init(_ text: String) { lines = Self.split(text) }
    init(lines: [JSONValue]) { self.lines = lines.map { TextLine($0.string ?? "") } }
    var text: String { lines.map(\.text).joined(separator: "\n") }

    /// The lines of a text; a `\r\n` is one character to Swift but two scalars here.
    private static func split(_ text: String) -> [TextLine] {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { TextLine(String($0)) }
    }

    /// Applies `[at, cut, "put"]`; returns what became of the lines.
    mutating func apply(_ edit: JSONValue) throws(ImportFault) -> [JSONPatch.Operation] {
        guard case .array(let parts) = edit, parts.count == 3, let place = parts[0].number?.integerValue,
            let cut = parts[1].number?.integerValue, case .string(let put) = parts[2], place >= 0, cut >= 0
        else { throw .form(expected: "an edit, as '[12, 0, \"text\"]'") }
        let (first, offset) = try find(place)
        cursor = (first, place - offset)
        var (last, rest) = (first, offset)
        var left = cut
        while left > lines[last].count - rest {
            left -= lines[last].count - rest + 1
            (last, rest) = (last + 1, 0)
            guard last < lines.count else { throw .form(expected: "an edit of a text that is so long") }
        }
        let head = lines[first].text.unicodeScalars.prefix(offset)
        let tail = lines[last].text.unicodeScalars.dropFirst(rest + left)
        return replace(first...last, by: Self.split(String(head) + put + String(tail)))
    }

    private func find(_ place: Int) throws(ImportFault) -> (line: Int, offset: Int) {
        var (line, start) = cursor
        while place < start {
            line -= 1
            start -= lines[line].count + 1
        }
        while place > start + lines[line].count {
            start += lines[line].count + 1
            line += 1
            guard line < lines.count else { throw .form(expected: "an edit of a text that is so long") }
        }
        return (line, place - start)
    }

    private mutating func replace(_ range: ClosedRange<Int>, by new: [TextLine]) -> [JSONPatch.Operation] {
        var (old, new) = (lines[range], new[...])
        func isSame(_ a: TextLine?, _ b: TextLine?) -> Bool {
            guard let a, let b else { return false }
            return UTF8Order.equal(a.text, b.text)
        }
        while isSame(old.first, new.first) { (old, new) = (old.dropFirst(), new.dropFirst()) }
        while isSame(old.last, new.last) { (old, new) = (old.dropLast(), new.dropLast()) }
        var operations: [JSONPatch.Operation] = []
        let same = min(old.count, new.count)
        let start = old.startIndex
        func pointer(_ index: Int) -> JSONPointer { JSONPointer(["lines", String(start + index)]) }
        for index in stride(from: old.count - 1, through: same, by: -1) {
            operations.append(.remove(pointer(index), old: nil))
        }
        for (index, line) in new.prefix(same).enumerated() {
            operations.append(.replace(pointer(index), .string(line.text), old: nil))
        }
        for (index, line) in new.dropFirst(same).enumerated() {
            operations.append(.add(pointer(same + index), .string(line.text)))
        }
        lines.replaceSubrange(old.indices, with: new)
        return operations
    }
}
