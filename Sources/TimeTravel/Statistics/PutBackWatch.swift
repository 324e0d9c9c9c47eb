import JSONCore

/// Notices values that are written and soon put back: useless work, or a visible flicker.
///
/// A commit puts back what it writes at a path if that stood there before one of the last few commits. Elements that
/// shift end what is remembered below their array.
struct PutBackWatch {
    /// How many commits a value may be away.
    static let window = 4

    /// How many changes of one commit are remembered; the rest are not watched.
    static let changesPerCommit = 128

    private struct Replaced {
        let path: Range<Int>
        let old: Range<Int>
        let commit: Int
    }

    private var commits = 0
    private var remembered: [Replaced] = []
    private var changes = 0
    private var texts = Texts()

    /// The texts of the commits that are watched, one buffer for each, used in turns.
    private struct Texts {
        private var buffers: [[UInt8]] = Array(repeating: [], count: window + 1)

        mutating func removeAll(of commit: Int) { buffers[commit % buffers.count].removeAll(keepingCapacity: true) }

        mutating func append(_ text: ByteView, of commit: Int) -> Range<Int> {
            let place = commit % buffers.count
            let start = buffers[place].count
            buffers[place].append(contentsOf: text)
            return start..<buffers[place].count
        }

        func read<Result>(_ range: Range<Int>, of entry: Replaced, _ body: (ByteView) -> Result) -> Result {
            buffers[entry.commit % buffers.count].withBytes { body($0.extracting(range)) }
        }

        func isPath(of entry: Replaced, _ path: ByteView) -> Bool {
            entry.path.count == path.count && read(entry.path, of: entry) { $0.hasSameBytes(as: path) }
        }
    }

    mutating func beginCommit() {
        commits += 1
        changes = 0
        let oldest = commits - PutBackWatch.window
        remembered.removeAll { $0.commit < oldest }
        texts.removeAll(of: commits)
    }

    /// Returns whether it put a value back; `path` is the text of a JSON Pointer into the whole state.
    mutating func replace(
        at path: ByteView, _ value: ByteView, old: ByteView, isSame: Bool
    ) -> Bool {
        guard isWatched(), !isSame else { return false }
        let isBack = remembered.contains { entry in
            entry.commit < commits && texts.isPath(of: entry, path)
                && texts.read(entry.old, of: entry) { $0.isSameValue(as: value) }
        }
        let place = texts.append(path, of: commits)
        remembered.append(Replaced(path: place, old: texts.append(old, of: commits), commit: commits))
        return isBack
    }

    /// Takes a change of another kind, which may shift what is beside its place, or beside `source` if that goes away.
    mutating func edit(at path: ByteView, from source: [UInt8]?) {
        guard isWatched() else { return }
        forget(around: path)
        source?.withBytes { forget(around: $0) }
    }

    private mutating func isWatched() -> Bool {
        changes += 1
        return changes <= PutBackWatch.changesPerCommit
    }

    private mutating func forget(around path: ByteView) {
        guard !remembered.isEmpty else { return }
        let container = Self.container(of: path)
        let texts = texts
        remembered.removeAll { entry in texts.read(entry.path, of: entry) { Self.isInside($0, container) } }
    }

    private static func container(of path: ByteView) -> ByteView {
        path.extracting(..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0))
    }

    private static func isInside(_ path: ByteView, _ container: ByteView) -> Bool {
        path.count >= container.count
            && path.extracting(..<container.count).hasSameBytes(as: container)
            && (path.count == container.count || path[container.count] == UInt8(ascii: "/"))
    }
}

extension ByteView {
    /// Whether two JSON texts say the same value; they are parsed only where their bytes leave it open.
    func isSameValue(as other: ByteView) -> Bool {
        if hasSameBytes(as: other) { return true }
        guard let first, let start = other.first else { return false }
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "["): guard first == start else { return false }
        case UInt8(ascii: "\""):
            // One text for each string in which nothing is escaped.
            guard first == start, contains(0x5C) || other.contains(0x5C) else { return false }
        case _ where isNumber:
            if !other.isNumber || isPlainInteger && other.isPlainInteger { return false }
        default: return false
        }
        guard let one = try? JSONParser.parse(self), let another = try? JSONParser.parse(other) else { return false }
        return one == another
    }

    private var isNumber: Bool { first.map { $0 == UInt8(ascii: "-") || $0 &- 48 < 10 } ?? false }

    /// Whether it is a whole number in the only form that has neither sign of zero, fraction nor exponent.
    private var isPlainInteger: Bool {
        let digits = first == UInt8(ascii: "-") ? self.extracting(1...) : self
        guard digits.count == count || digits.first != UInt8(ascii: "0") else { return false }
        return digits.allSatisfy { $0 &- 48 < 10 }
    }
}
