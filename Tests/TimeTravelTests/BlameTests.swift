import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing
import TimeTravel

@Suite("Who wrote a value")
struct BlameTests {
    @Test("every leaf at every position has the author that a plain walk over its path finds", arguments: seeds(0..<40))
    func lastWriter(seed: UInt64) throws {
        let run = try RandomRun(seed: seed)
        let records = try PlainBlame(run)
        for position in run.positions {
            let state = run.states[position] ?? .null
            let lines = try Blame.lines(
                of: [JSONPointer()], in: state, at: CommitNumber(position), journal: run.journal)
            #expect(lines.map(\.path.text) == PlainBlame.leaves(of: state).map(\.text), "seed \(seed), at \(position)")
            for line in lines {
                let author = records.lastWriter(of: line.path, at: position)
                #expect(line.record?.offset == author, "seed \(seed), \(line.path.text) at \(position)")
                #expect(line.path.value(in: state) == line.value)
            }
        }
    }

    @Test("every leaf is written over by the record that a plain walk finds next", arguments: seeds(0..<20))
    func nextWriter(seed: UInt64) throws {
        let run = try RandomRun(seed: seed)
        let records = try PlainBlame(run)
        for position in run.positions {
            let state = run.states[position] ?? .null
            let lines = try Blame.lines(
                of: [JSONPointer()], in: state, at: CommitNumber(position), .nextWriter, journal: run.journal)
            for line in lines {
                let author = records.nextWriter(of: line.path, at: position)
                #expect(line.record?.offset == author, "seed \(seed), \(line.path.text) at \(position)")
            }
        }
    }

    @Test("a part is blamed as it is within the whole", arguments: seeds(0..<10))
    func parts(seed: UInt64) throws {
        let run = try RandomRun(seed: seed)
        let end = run.range.upper
        let state = run.states[end.rawValue] ?? .null
        let all = try Blame.lines(of: [JSONPointer()], in: state, at: end, journal: run.journal)
        for line in all {
            let one = try Blame.lines(of: [line.path], in: state, at: end, journal: run.journal)
            #expect(one.map(\.record) == [line.record], "seed \(seed), \(line.path.text)")
        }
    }

    @Test("what an ignored commit replaced is blamed on the commit before it")
    func ignored() throws {
        let folder = TemporaryFolder()
        let journal = try Self.journal(
            folder,
            [
                #"[{"op":"replace","path":"/a","value":1,"old":0}]"#,
                #"[{"op":"replace","path":"","value":{"a":5,"b":[7,8],"c":9},"old":{"a":1,"b":[0]}}]"#,
            ])
        func authors(_ ignored: String) throws -> [String: Int?] {
            let state = try journal.state(at: CommitNumber(2)).value
            let lines = try Blame.lines(
                of: [JSONPointer()], in: state, at: CommitNumber(2), ignoring: try CommitList(parsing: ignored),
                journal: journal)
            return Dictionary(uniqueKeysWithValues: lines.map { ($0.path.text, $0.record?.seq.rawValue) })
        }
        #expect(try authors("99") == ["/s/a": 2, "/s/b/0": 2, "/s/b/1": 2, "/s/c": 2])
        // What was not there before is the ignored commit's all the same.
        #expect(try authors("2") == ["/s/a": 1, "/s/b/0": 0, "/s/b/1": 2, "/s/c": 2])
    }

    @Test("a value moved between containers keeps its author")
    func moves() throws {
        let folder = TemporaryFolder()
        let journal = try Self.journal(
            folder,
            [
                #"[{"op":"replace","path":"/b/0","value":1,"old":0}]"#,
                #"[{"op":"move","from":"/b/0","path":"/c"}]"#,
                #"[{"op":"add","path":"/b/0","value":2},{"op":"move","from":"/c","path":"/b/0"}]"#,
            ])
        let state = try journal.state(at: CommitNumber(3)).value
        let lines = try Blame.lines(of: [JSONPointer()], in: state, at: CommitNumber(3), journal: journal)
        #expect(lines.map(\.path.text) == ["/s/a", "/s/b/0", "/s/b/1"])
        #expect(lines.map(\.record?.seq.rawValue) == [0, 1, 3])
        #expect(lines.map(\.record?.kind) == [.store, .commit, .commit])
    }

    /// A journal of one store `s`, which begins as `{"a":0,"b":[0]}`, with these patches.
    private static func journal(_ folder: TemporaryFolder, _ patches: [String]) throws -> Journal {
        let time = try #require(Timestamp("2026-01-01T00:00:00Z"))
        let at = SourceLocation(file: "T/F.swift", line: 1, column: 1, function: "f()")
        var lines = LineBuilder()
        lines.journal(JournalHeader(id: "t", time: time, recorder: "test"))
        Array(#"{"a":0,"b":[0]}"#.utf8).withUnsafeBytes {
            lines.store(seq: .zero, store: "s", type: "S", time: time, at: at, state: $0)
        }
        for (index, patch) in patches.enumerated() {
            Array(patch.utf8).withUnsafeBytes {
                lines.commit(
                    seq: CommitNumber(index + 1), store: "s", version: index + 1, time: time, at: at, patch: $0)
            }
        }
        return try Journal.open(folder.write(lines.bytes, to: "run.jsonl"), access: .random)
    }
}

/// The authors of leaves, found by walking one path at a time over all records, with the state around each operation at hand.
private struct PlainBlame {
    private enum Step {
        case whole(String?)
        case operation(JSONPatch.Operation, before: JSONValue, after: JSONValue)
    }

    private var steps: [(seq: Int, offset: ByteOffset, step: Step)] = []

    init(_ run: RandomRun) throws {
        var reader = run.journal.records()
        while let line = try reader.next() {
            switch line.kind {
            case .store:
                let store = try line.decode { (object) throws(RecordFault) in try StoreRecord(object) }
                steps.append((line.seq.rawValue, line.offset, .whole(store.store)))
            case .gap: steps.append((line.seq.rawValue, line.offset, .whole(nil)))
            case .commit:
                let commit = try line.decode { (object) throws(RecordFault) in try CommitRecord(object) }
                var state = try run.journal.state(at: line.seq.previous).value
                for operation in commit.patch.operations {
                    let before = state
                    let whole = operation.below(commit.store)
                    try JSONPatch([whole]).apply(to: &state)
                    steps.append((line.seq.rawValue, line.offset, .operation(whole, before: before, after: state)))
                }
            default: break
            }
        }
    }

    static func leaves(of value: JSONValue) -> [JSONPointer] {
        var leaves: [JSONPointer] = []
        func visit(_ value: JSONValue, _ path: [String]) {
            switch value {
            case .object(let object) where !object.isEmpty: for (key, part) in object { visit(part, path + [key]) }
            case .array(let elements) where !elements.isEmpty:
                for (index, part) in elements.enumerated() { visit(part, path + ["\(index)"]) }
            default: leaves.append(JSONPointer(path))
            }
        }
        visit(value, [])
        return leaves
    }

    func lastWriter(of leaf: JSONPointer, at position: Int) -> ByteOffset? {
        var path: [String]? = leaf.segments
        for (seq, offset, step) in steps.reversed() where seq <= position {
            guard case .operation(let operation, let before, let after) = step else {
                if wholly(step, path) { return offset }
                continue
            }
            switch operation {
            case .replace(let at, _, _): if within(path, at.segments) { return offset }
            case .add(let at, _):
                if within(path, at.segments) { return offset }
                path = shifted(path, at.segments, by: -1, in: after)
            case .remove(let at, _):
                if path == Array(at.segments.dropLast()) { return offset }
                path = shifted(path, at.segments, by: 1, in: before)
            case .move(let from, let at): path = moved(path, from: at.segments, after, to: from.segments, before)
            default: break
            }
        }
        return nil
    }

    func nextWriter(of leaf: JSONPointer, at position: Int) -> ByteOffset? {
        var path: [String]? = leaf.segments
        for (seq, offset, step) in steps where seq > position {
            guard case .operation(let operation, let before, let after) = step else {
                if wholly(step, path) { return offset }
                continue
            }
            switch operation {
            case .replace(let at, _, _): if within(path, at.segments) { return offset }
            case .add(let at, _):
                if path == Array(at.segments.dropLast()) || path == at.segments && !isElement(at.segments, before) {
                    return offset
                }
                path = shifted(path, at.segments, by: 1, in: after)
            case .remove(let at, _):
                if within(path, at.segments) { return offset }
                path = shifted(path, at.segments, by: -1, in: before)
            case .move(let from, let at): path = moved(path, from: from.segments, before, to: at.segments, after)
            default: break
            }
        }
        return nil
    }

    private func wholly(_ step: Step, _ path: [String]?) -> Bool {
        guard case .whole(let store) = step else { return false }
        return store == nil || store == path?.first
    }

    private func within(_ path: [String]?, _ part: [String]) -> Bool { path?.starts(with: part) ?? false }

    private func isElement(_ path: [String], _ state: JSONValue) -> Bool {
        guard case .array? = JSONPointer(Array(path.dropLast())).value(in: state) else { return false }
        return true
    }

    /// The path where an element came in at, or went out of, a place of its array.
    private func shifted(_ path: [String]?, _ place: [String], by step: Int, in state: JSONValue) -> [String]? {
        guard var path, isElement(place, state), path.count >= place.count,
            path.starts(with: place.dropLast()), let index = Int(path[place.count - 1]),
            let at = Int(place[place.count - 1])
        else { return path }
        if index >= at { path[place.count - 1] = "\(index + step)" }
        return path
    }

    private func moved(
        _ path: [String]?, from: [String], _ there: JSONValue, to: [String], _ here: JSONValue
    ) -> [String]? {
        if within(path, from) { return to + (path ?? []).dropFirst(from.count) }
        return shifted(shifted(path, from, by: -1, in: there), to, by: 1, in: here)
    }
}

extension JSONPatch.Operation {
    /// The operation as one on the whole state.
    fileprivate func below(_ store: String) -> JSONPatch.Operation {
        func whole(_ path: JSONPointer) -> JSONPointer { JSONPointer([store] + path.segments) }
        return switch self {
        case .add(let path, let value): .add(whole(path), value)
        case .remove(let path, let old): .remove(whole(path), old: old)
        case .replace(let path, let value, let old): .replace(whole(path), value, old: old)
        case .move(let from, let path): .move(from: whole(from), to: whole(path))
        case .copy(let from, let path): .copy(from: whole(from), to: whole(path))
        case .test(let path, let value): .test(whole(path), value)
        }
    }
}
