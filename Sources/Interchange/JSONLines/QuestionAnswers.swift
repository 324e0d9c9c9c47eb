import JSONCore
import QueryLanguage

/// What a query gave on the lines so far, as far as it shows that something else was meant.
struct QuestionAnswers: Sendable {
    fileprivate static let namesKept = 64
    private var lines = 0
    /// The line that was asked about last: `--each` makes several records of one.
    private var latest = 0
    private var isAny = false
    private var several: (count: Int, first: Int, latest: Int)?
    /// The paths that it reads and that no line had so far; dropped once it gave anything.
    private var absent: [AbsentPath]

    fileprivate struct AbsentPath {
        let path: [String]
        var depth = -1
        var names: [String] = []
    }

    init(of query: Query) {
        // The paths of `$old` are among those of the footprint, and are not looked for in a line.
        let patterns = query.footprint.usesOld ? [] : query.footprint.paths.patterns
        absent = patterns.compactMap { pattern in
            let segments = (try? JSONPointer(parsing: pattern))?.segments.prefix { !UTF8Order.equal($0, "*") } ?? []
            return segments.isEmpty ? nil : AbsentPath(path: Array(segments))
        }
    }

    /// - Parameter isAny: whether it gave anything but null, or true where it is a condition.
    mutating func note(isAny: Bool, isSeveral: Bool = false, _ line: (text: JSONValue, number: Int)) {
        if line.number != latest { lines += 1 }
        latest = line.number
        if isAny, !self.isAny {
            self.isAny = true
            absent = []
        }
        for index in absent.indices.reversed() where absent[index].isFound(in: line.text) { absent.remove(at: index) }
        guard isSeveral, several?.latest != line.number else { return }
        several = ((several?.count ?? 0) + 1, several?.first ?? line.number, line.number)
    }

    func warning(of option: String) -> ImportWarning? {
        if let several { return .several(option: option, lines: several.count, first: several.first) }
        guard lines > 0, !isAny else { return nil }
        let missing = absent.first.map { absent in
            ImportWarning.Missing(path: absent.path, depth: max(0, absent.depth), names: absent.names)
        }
        return .nothing(option: option, lines: lines, missing)
    }
}

extension QuestionAnswers.AbsentPath {
    /// Whether a line has it; one that has more of it than those before says which names stand beside what is missing.
    fileprivate mutating func isFound(in line: JSONValue) -> Bool {
        var value = line
        for (depth, name) in path.enumerated() {
            guard case .object(let members) = value else {
                // An element, or what a condition meets: nothing is known of names there.
                return !value.isScalar
            }
            guard let member = members[name] else {
                note(members, at: depth)
                return false
            }
            value = member
        }
        return true
    }

    private mutating func note(_ members: JSONObject, at depth: Int) {
        guard depth >= self.depth else { return }
        if depth > self.depth { (self.depth, names) = (depth, []) }
        for (name, _) in members
        where names.count < QuestionAnswers.namesKept && !names.contains(where: { UTF8Order.equal($0, name) }) {
            names.append(name)
        }
    }
}
