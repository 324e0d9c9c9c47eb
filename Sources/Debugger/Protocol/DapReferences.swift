import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

/// A commit on a stack: where it stands in the run, and its line.
struct DapFrame {
    /// The position after the commit.
    let position: CommitNumber
    /// Whether it is where the session stands, also inside a commit.
    let isCurrent: Bool
    /// The commit; nil at the start, and where it was lost.
    let record: OwnedRecord?
}

/// What has children in the editor's tree.
enum DapContainer {
    case changed(DapFrame)
    case derived(DapFrame)
    case commit(DapFrame)
    /// A value, or a page of it.
    case value(DapPlace, page: Range<Int>? = nil)
}

/// A value, and where in a state it is.
struct DapPlace {
    let value: JSONValue
    /// Its path in the whole state; nil for what is not part of it.
    var path: JSONPointer?
    /// The query that gives it; nil for what none does.
    var query: String?
    var frame: DapFrame?
    /// Whether no array lies above it, so that nothing moves it but what writes it.
    var isFixed = true

    /// The query of a member or an element of what another query gives.
    static func query(below query: String, _ name: String, isElement: Bool) -> String {
        if isElement { return query + "[\(name)]" }
        let member = JQPath.text(of: JSONPointer([name]), in: .object(JSONObject()))
        return query == "." ? member : query + member
    }
}

/// What the numbers mean that the editor was given since the last motion; none of them is given twice.
struct DapReferences {
    private var last = 0
    private var frames: [Int: DapFrame] = [:]
    private var containers: [Int: DapContainer] = [:]
    private var locations: [Int: DapPlace] = [:]
    private var targets: [Int: CommitNumber] = [:]

    /// Forgets everything: the session stands elsewhere.
    mutating func clear() {
        frames = [:]
        containers = [:]
        locations = [:]
        targets = [:]
    }

    mutating func add(_ frame: DapFrame) -> Int { Self.add(frame, to: &frames, after: &last) }

    mutating func add(_ container: DapContainer) -> Int { Self.add(container, to: &containers, after: &last) }

    mutating func add(location place: DapPlace) -> Int { Self.add(place, to: &locations, after: &last) }

    mutating func add(target commit: CommitNumber) -> Int { Self.add(commit, to: &targets, after: &last) }

    private static func add<Value>(_ value: Value, to table: inout [Int: Value], after last: inout Int) -> Int {
        last += 1
        table[last] = value
        return last
    }

    func frame(_ id: Int) throws(DapError) -> DapFrame { try known(frames[id], "frame \(id)") }

    func container(_ id: Int) throws(DapError) -> DapContainer { try known(containers[id], "reference \(id)") }

    func location(_ id: Int) throws(DapError) -> DapPlace { try known(locations[id], "location \(id)") }

    func target(_ id: Int) throws(DapError) -> CommitNumber { try known(targets[id], "target \(id)") }

    private func known<Value>(_ value: Value?, _ name: String) throws(DapError) -> Value {
        guard let value else { throw DapError("\(name) is not of this stop: the run has moved since") }
        return value
    }
}
