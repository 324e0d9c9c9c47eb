import Platform

/// Lines that were typed, the oldest first.
struct LineHistory: Equatable, Sendable {
    /// No more are kept.
    static let limit = 1000

    private(set) var lines: [String] = []

    /// Adds a line; an empty one, or the same as the last, is not kept.
    mutating func add(_ line: String) {
        guard line.contains(where: { !$0.isWhitespace }) else { return }
        if line == lines.last { return }
        lines.append(line)
        if lines.count > Self.limit { lines.removeFirst(lines.count - Self.limit) }
    }
}

extension LineHistory {
    /// No file of a history grows longer: of one that has, what counts is kept.
    static let fileLimit = 1 << 20

    /// Reads the lines of a file; a file that cannot be read gives an empty history, so that the session begins anyway.
    init(path: String) {
        let bytes = (try? FileDescriptor.readAll(of: path)) ?? []
        // Of a line that is cut the end is none.
        let text = String(decoding: bytes.suffix(Self.fileLimit), as: UTF8.self)
        for line in text.split(separator: "\n").dropFirst(bytes.count > Self.fileLimit ? 1 : 0) { add(String(line)) }
        guard bytes.count > Self.fileLimit, let file = try? ReplacedFile(path) else { return }
        // What cannot be made shorter stays as it is.
        let kept = Array(lines.map { $0 + "\n" }.joined().utf8.suffix(Self.fileLimit / 2))
        if (try? file.append(kept)) != nil { try? file.replace() }
    }

    /// Adds a line to a file that only its owner reads; one that cannot be written is not kept.
    static func append(_ line: String, to path: String) {
        guard !line.isEmpty, !line.utf8.contains(UInt8(ascii: "\n")) else { return }
        let file = (try? FileDescriptor.creating(path)) ?? (try? FileDescriptor.appending(path))
        try? file?.write(Array((line + "\n").utf8))
    }
}

/// A search backwards in the lines typed before, letter by letter.
struct LineSearch: Equatable, Sendable {
    /// What is looked for.
    var text = ""
    /// The line that was found last; the number of lines at first.
    private(set) var place: Int
    /// The line that has it; nil where none was found.
    private(set) var found: String?
    /// Whether no further line was found.
    private(set) var isFailing = false

    /// Creates a search that begins after the last line.
    init(from place: Int) { self.place = place }

    /// Looks for a line before one.
    mutating func find(in lines: [String], before end: Int) {
        take(lines[..<min(end, lines.count)].lastIndex { $0.contains(text) }, lines)
    }

    /// Looks for a line after one.
    mutating func find(in lines: [String], after start: Int) {
        take(lines.dropFirst(start + 1).firstIndex { $0.contains(text) }, lines)
    }

    private mutating func take(_ index: Int?, _ lines: [String]) {
        isFailing = index == nil && !text.isEmpty
        guard let index, !text.isEmpty else { return }
        place = index
        found = lines[index]
    }
}
