import TestSupport

/// A journal before it is written: what happens, without numbers, so that a part can be left out and the rest still holds.
struct Draft {
    enum Event {
        case store(String, PlainJSON)
        case commit(Commit)
        case close(String)
        case gap(lost: Int, states: [(String, PlainJSON)])
        case keyframe
        case mark(String)
        case abort(String)
        case derived(String, inputs: [String]?)
        case outcome([(name: String, outcome: String, value: PlainJSON?)])
        case unknown
        case end
    }

    struct Commit {
        var store: String
        var operations: [Operation]
        var name: String?
        var action: String?
        /// How many commits before this one its cause lies.
        var cause: Int?
        var place: Int
    }

    struct Operation {
        var op: String
        var path: [PlainKey]
        var from: [PlainKey] = []
        var value: PlainJSON = .null
    }

    var after: Int?
    var events: [Event]
    var style: WritingStyle
    /// How many bytes of the last line are missing, its newline first.
    var torn = 0
    /// What was done to the bytes afterwards.
    var damages: [Damage] = []
}

extension Draft.Operation {
    /// The operation as a patch has it; `old` is what it replaces.
    func json(old: PlainJSON?) -> PlainJSON {
        var members: [(key: String, value: PlainJSON)] = [("op", .string(op))]
        if op == "move" || op == "copy" { members.append(("from", .string(PlainPointer.text(from)))) }
        members.append(("path", .string(PlainPointer.text(path))))
        if op == "add" || op == "replace" || op == "test" { members.append(("value", value)) }
        if let old, op == "replace" || op == "remove" { members.append(("old", old)) }
        return .object(PlainObject(members))
    }
}

/// What happens to a file that was whole.
struct Damage {
    enum Kind: CaseIterable { case flip, delete, duplicate, swap, garbage }
    let kind: Kind
    /// Which line, and which byte of it, counted round and round.
    let line: Int
    let byte: Int
    let mask: UInt8

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        kind = Kind.allCases[Int.random(in: 0..<Kind.allCases.count, using: &random)]
        line = Int.random(in: 0..<1_000, using: &random)
        byte = Int.random(in: 0..<1_000, using: &random)
        mask = 1 << UInt8.random(in: 0..<8, using: &random)
    }

    /// Whether the numbers of the lines tell, so that every pass notices: a line that is none, or a commit too few.
    func isNoticed(in text: [UInt8]) -> Bool {
        let lines = text.split(separator: 0x0A).map(Array.init)
        guard lines.count > 2 else { return false }
        let isCommit = PlainRecord(lines[1 + line % (lines.count - 1)])?.kind == "commit"
        return kind == .garbage || isCommit && kind == .delete
    }

    /// The bytes afterwards.
    func done(to text: [UInt8]) -> [UInt8] {
        var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        let count = lines.count - 1
        guard count > 2 else { return text }
        let line = 1 + line % (count - 1)
        switch kind {
        case .flip: if !lines[line].isEmpty { lines[line][byte % lines[line].count] ^= mask }
        case .delete: lines.remove(at: line)
        case .duplicate: lines.insert(lines[line], at: line)
        case .swap: if line + 1 < count { lines.swapAt(line, line + 1) }
        case .garbage: lines.insert(Array("what is this".utf8), at: line)
        }
        return Array(lines.joined(separator: [0x0A]))
    }
}

/// How a writer writes.
struct WritingStyle {
    /// Spaces between tokens.
    var spaced = false
    /// Members in any order.
    var shuffled = false
    /// `\u` escapes where none is needed.
    var escaped = false
    /// A sum at the end of each line.
    var sums = true
    /// `old` in replace and remove.
    var olds = true
    /// Members that may be missing are missing.
    var minimal = false
    /// Where its own choices come from.
    var seed: UInt64 = 0

    /// Our own way.
    static let own = WritingStyle()
}
