/// What did not fit of a file: the first thing ends the import, or all of it is counted and left out.
public struct ImportProblems: Sendable {
    /// How many are kept whole.
    public static let keptCount = 5
    private static let namedCount = 20

    /// Whether what does not fit is left out.
    public let isSkipping: Bool
    /// How many there were.
    public private(set) var count = 0
    /// The first of them.
    public private(set) var first: [ImportError] = []
    private let file: String
    private var lines: [ClosedRange<Int>] = []
    private var unmarked: (lines: ClosedRange<Int>, sentence: String)?

    init(file: String, isSkipping: Bool) {
        self.file = file
        self.isSkipping = isSkipping
    }

    /// Counts something that does not fit; thrown where nothing may be left out.
    mutating func report(_ fault: ImportFault, line: Int) throws(ImportError) {
        let error = ImportError(file: file, line: line, fault: fault)
        guard isSkipping else { throw error }
        leaveOut(error, line: line)
    }

    mutating func leaveOut(_ error: ImportError, line: Int) {
        count += 1
        if first.count < Self.keptCount { first.append(error) }
        note(line)
        unmarked = (
            (unmarked?.lines.lowerBound ?? line)...max(unmarked?.lines.upperBound ?? line, line), error.fault.sentence
        )
    }

    private mutating func note(_ line: Int) {
        if let last = lines.last, line <= last.upperBound + 1, line >= last.lowerBound {
            lines[lines.count - 1] = last.lowerBound...max(line, last.upperBound)
        } else if lines.count <= Self.namedCount {
            lines.append(line...line)
        }
    }

    /// The numbers of the lines, as `3, 7 to 9, …`.
    public var lineNumbers: String {
        let named = lines.prefix(Self.namedCount).map { range in
            range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
        }
        return named.joined(separator: ", ") + (lines.count > Self.namedCount ? ", …" : "")
    }

    mutating func takeUnmarked() -> (text: String, line: Int)? {
        guard let (lines, sentence) = unmarked else { return nil }
        unmarked = nil
        let which = lines.count == 1 ? "line \(lines.lowerBound)" : "lines \(lines.lowerBound) to \(lines.upperBound)"
        return ("left out of '\(file)' here, in \(which): \(sentence)", lines.lowerBound)
    }
}
