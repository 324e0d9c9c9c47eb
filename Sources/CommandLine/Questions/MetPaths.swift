package import JSONCore
import JournalFormat
package import JournalReading

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

    /// The paths of a set at which there is nothing in any of some states.
    package static func absent(_ paths: PathSet, in states: [JSONValue]) -> [[String]] {
        paths.patterns.prefix(mostPaths).compactMap { try? JSONPointer(parsing: $0).segments }
            .filter { PathValues.all(at: $0, in: states).isEmpty }
    }

    /// The parts of a path at which there is nothing in any of some states, the shortest first.
    package static func parts(of path: [String], absentIn states: [JSONValue]) -> [[String]] {
        (1...path.count).map { Array(path.prefix($0)) }.filter { PathValues.all(at: $0, in: states).isEmpty }
    }

    package var areAll: Bool { things.allSatisfy(\.isMet) }

    /// Whether a path was met; one that was not looked for counts as met.
    package func contains(_ path: [String]) -> Bool {
        let index = segments.firstIndex { $0.elementsEqual(path, by: UTF8Order.equal) }
        return index.map { things[$0].isMet } ?? true
    }

    package mutating func note(_ line: OwnedRecord) throws {
        guard NamedThing.isNamed(by: line.kind), !areAll else { return }
        let record = try Record(line)
        for index in things.indices { things[index].note(line.kind, record) }
    }

    /// Looks for them through a whole journal.
    ///
    /// - Returns: false where damage hides a part of it, so that nothing can be said.
    package mutating func look(in journal: Journal) throws -> Bool {
        try NamedThing.look(for: &things, in: journal, touching: touched)
    }
}
