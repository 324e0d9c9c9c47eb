import Diagnostics
package import JSONCore
package import JournalFormat
package import JournalReading

package struct NamedThing {
    private static let keptNames = 4096

    package enum Sign {
        case itself
        case others([String])
        case none
    }

    private let code: String
    private let message: (_ journal: String) -> String
    private let typed: String
    private let sign: (_ kind: RecordKind, _ record: Record) -> Sign
    private var others: Set<ByteName> = []
    package private(set) var isMet = false

    /// `code` is what scripts know its absence by; `typed` is the name, as others are compared with it.
    package init(
        code: String, typed: String, sign: @escaping (_ kind: RecordKind, _ record: Record) -> Sign,
        message: @escaping (_ journal: String) -> String
    ) {
        (self.code, self.message, self.typed, self.sign) = (code, message, typed, sign)
    }

    package mutating func note(_ kind: RecordKind, _ record: Record) {
        guard !isMet else { return }
        switch sign(kind, record) {
        case .itself: isMet = true
        case .others(let names): if others.count < Self.keptNames { others.formUnion(names.map { ByteName($0) }) }
        case .none: break
        }
    }

    /// Ends when all are met; false where damage hides a part of the journal, so that nothing can be said.
    package static func look(
        for things: inout [NamedThing], in journal: Journal, touching paths: PathSet = .everything
    ) throws -> Bool {
        var reader = journal.records(recover: true)
        var filter = RecordFilter(touching: paths, kinds: kinds)
        while things.contains(where: { !$0.isMet }), let line = try reader.next(matching: &filter) {
            guard isNamed(by: line.kind) else { continue }
            let record = try Record(line)
            for index in things.indices { things[index].note(line.kind, record) }
        }
        return reader.damageCount == 0
    }

    private static let kinds: RecordKinds = [.commit, .store, .gap]

    package static func isNamed(by kind: RecordKind) -> Bool { kinds.contains(kind) }

    /// That it is nowhere, with the nearest there is; status 4.
    package func absence(in journal: String, help: [String] = []) -> CommandFailure {
        CommandFailure(
            .notThere, code: code, message(journal == "-" ? "standard input" : "'\(journal)'"),
            help: help + SimilarNames.nearest(to: typed, in: others.map(\.text)).map { "write '\($0)'" })
    }

    static func store(_ store: String) -> NamedThing {
        NamedThing(code: "store.unknown", typed: store) { kind, record in
            let found: [String]
            if kind == .gap, case .object(let states)? = record[.states] {
                found = states.keys
            } else {
                found = record.store.map { [$0] } ?? []
            }
            return found.contains { UTF8Order.equal($0, store) } ? .itself : .others(found)
        } message: {
            "\($0) has no store '\(store)'"
        }
    }

    package static func path(_ path: PathPattern, _ scope: StoreScope) -> NamedThing {
        let shown = scope.text(of: path)
        return NamedThing(code: "filter.no-such-path", typed: shown) { _, record in
            path.isShown(by: record) ? .itself : .none
        } message: {
            "nothing is at '\(shown)' at any position of \($0)"
        }
    }
}

package struct MetPaths {
    private static let mostPaths = 64

    private let segments: [[String]]
    private var things: [NamedThing]
    private var touched = PathSet.nothing

    /// Paths, none of which was met yet; an element is `*`.
    package init(_ paths: [[String]], _ scope: StoreScope) {
        segments = paths
        let patterns = paths.map { path in
            scope.whole(PathPattern(PathSteps(path.map { $0 == "*" ? .one : .key($0) })))
        }
        things = patterns.map { NamedThing.path($0, scope) }
        for pattern in patterns { touched.formUnion(pattern.paths) }
    }

    package static func absent(_ paths: PathSet, in states: [JSONValue]) -> [[String]] {
        paths.patterns.prefix(mostPaths).compactMap { try? JSONPointer(parsing: $0).segments }
            .filter { MetPaths.values(at: $0, in: states).isEmpty }
    }

    /// The shortest part comes first.
    package static func parts(of path: [String], absentIn states: [JSONValue]) -> [[String]] {
        (1...path.count).map { Array(path.prefix($0)) }.filter { MetPaths.values(at: $0, in: states).isEmpty }
    }

    package var areAll: Bool { things.allSatisfy(\.isMet) }

    /// One that was not looked for counts as met.
    package func contains(_ path: [String]) -> Bool {
        let index = segments.firstIndex { $0.elementsEqual(path, by: UTF8Order.equal) }
        return index.map { things[$0].isMet } ?? true
    }

    package mutating func note(_ line: OwnedRecord) throws {
        guard NamedThing.isNamed(by: line.kind), !areAll else { return }
        let record = try Record(line)
        for index in things.indices { things[index].note(line.kind, record) }
    }

    /// False where damage hides a part of the journal, so that nothing can be said.
    package mutating func look(in journal: Journal) throws -> Bool {
        try NamedThing.look(for: &things, in: journal, touching: touched)
    }

    private static let mostValues = 10_000

    /// `*` in the path stands for every element or member.
    static func values(at path: [String], in states: [JSONValue]) -> [JSONValue] {
        var values = states
        for segment in path {
            var found: [JSONValue] = []
            // A lazy sequence would build the parts of a value anew for each of them.
            for value in values where found.count < mostValues {
                found += parts(of: value, segment, atMost: mostValues - found.count)
            }
            values = found
            if values.isEmpty { break }
        }
        return values
    }

    private static func parts(of value: JSONValue, _ segment: String, atMost count: Int) -> ArraySlice<JSONValue> {
        guard UTF8Order.equal(segment, "*") else { return JSONPointer([segment]).value(in: value).map { [$0] } ?? [] }
        switch value {
        case .array(let elements): return elements.array.prefix(count)
        case .object(let members): return members.prefix(count).map(\.value)[...]
        default: return []
        }
    }
}
