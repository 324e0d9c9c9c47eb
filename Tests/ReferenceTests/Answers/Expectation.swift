/// What the contract says that a command answers.
struct Expectation {
    /// What standard output must be.
    enum Output {
        /// These lines, byte for byte.
        case bytes([[UInt8]])
        /// Lines with at least these members, told apart by value: what else a line has is not held against anything.
        case members([PlainObject])
        /// The same, where lines of one `seq` may stand in any order.
        case unorderedMembers([PlainObject])
        /// Something with a property; the text says what it lacks, nil is right.
        case property(([PlainJSON]) -> String?)
        /// A journal, written to a file, with a property; nil is right.
        case journal((PlainJournal) -> String?)
        case anything
    }

    var output: Output
    var status: Set<Int32>

    static var unspecified: Expectation { Expectation(output: .anything, status: [0, 1, 2, 3, 4, 5]) }

    /// No answer, and the status of what is not in the journal.
    static var notThere: Expectation { Expectation(output: .bytes([]), status: [4]) }

    /// What is wrong with an answer, nil if nothing is.
    func fault(in text: [UInt8], status got: Int32, written: [UInt8]) -> String? {
        if !status.contains(got) { return "the status is \(got), should be \(status.sorted())" }
        let lines = text.split(separator: 0x0A).map(Array.init)
        let objects = lines.compactMap { try? PlainJSON.parse($0).object }
        switch output {
        case .anything: return nil
        case .journal(let fault):
            guard status.contains(0), got == 0 else { return nil }
            do { return try fault(PlainJournal(written)) } catch {
                return "line \(error.line) of what was written is damaged"
            }
        case .bytes(let expected):
            return expected == lines
                ? nil : "should be\n\(expected.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n"))"
        case .members(_) where objects.count < lines.count, .unorderedMembers(_) where objects.count < lines.count:
            return "a line is no object"
        case .members(let expected): return Self.difference(expected, objects)
        case .unorderedMembers(let expected): return Self.difference(Self.ordered(expected), Self.ordered(objects))
        case .property(let fault):
            let values = lines.compactMap { try? PlainJSON.parse($0) }
            return values.count == lines.count ? fault(values) : "a line is no JSON"
        }
    }

    /// What differs between the members that lines must have and the lines; nil where nothing does.
    static func difference(_ expected: [PlainObject], _ lines: [PlainObject]) -> String? {
        func shown(_ expected: PlainObject) -> String { PlainJSON.object(expected).text() }
        for (index, got) in lines.enumerated() {
            guard index < expected.count else { return "there should be \(expected.count) lines, not \(lines.count)" }
            for (key, value) in expected[index] where canonical(got[key] ?? "(missing)") != canonical(value) {
                return "'\(key)' of line \(index + 1) should be \(value.text()), as in\n\(shown(expected[index]))"
            }
        }
        if lines.count < expected.count {
            return
                "there should be \(expected.count) lines, not \(lines.count); the next is\n\(shown(expected[lines.count]))"
        }
        return nil
    }

    /// Numbers by their text, members ascending.
    private static func canonical(_ value: PlainJSON) -> String { value.ascending().text() }

    private static func ordered(_ lines: [PlainObject]) -> [PlainObject] {
        var groups: [(seq: PlainJSON, lines: [PlainObject])] = []
        for line in lines {
            let seq = line["seq"] ?? .null
            if groups.last?.seq == seq {
                groups[groups.count - 1].lines.append(line)
            } else {
                groups.append((seq, [line]))
            }
        }
        return groups.flatMap { group in
            group.lines.sorted {
                ($0["path"]?.string ?? "").utf8.lexicographicallyPrecedes(($1["path"]?.string ?? "").utf8)
            }
        }
    }
}

/// What a refusal says of a condition, that it names what the run never has: held against every state.
struct AbsenceClaim {
    private let pattern: PlainPattern

    /// The claim of the first error among messages; nil where that makes none.
    init?(_ messages: String) {
        func quoted(_ line: Substring, after beginning: String) -> Substring? {
            guard line.hasPrefix(beginning), let end = line.lastIndex(of: "'") else { return nil }
            return line[..<end].dropFirst(beginning.count)
        }
        let lines = messages.split(separator: "\n")
        guard let error = lines.first(where: { $0.hasPrefix("state-inspect: error: ") }) else { return nil }
        if let store = quoted(error, after: "state-inspect: error: there is no store '") {
            pattern = PlainPattern([.key(PlainKey(String(store)))])
        } else if let path = quoted(error, after: "state-inspect: error: nothing was ever at '"),
            let segments = PlainPointer.segments(String(path))
        {
            pattern = PlainPattern(segments.map { $0 == PlainKey("*") ? .one : .key($0) })
        } else {
            return nil
        }
    }

    /// Where it is there all the same; nil where it never is.
    func fault(in journal: PlainJournal) -> String? {
        for (position, state) in journal.states.sorted(by: { $0.key < $1.key }) {
            let places = PlainPointer.places(in: state)
            if let place = places.first(where: { pattern.matches($0.path) }) {
                return "there is '\(PlainPointer.text(place.path))' at \(position)"
            }
        }
        return nil
    }
}
