import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing
import TimeTravel

/// `Blame` reads from a position to the front and mirrors only what it looks for; this carries an author along for every leaf,
/// forward through whole states, by what RFC 6902 says of each operation.
@Suite("Who wrote a value, held against authors that are carried along")
struct BlameReferenceTests {
    @Test("every leaf at every position has the author that was carried along", arguments: seeds(0..<60))
    func lastWriter(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, foreign: seed % 3 != 0)
        try Authors.visit(run) { position, authors in
            let state = run.states[position] ?? .null
            let lines = try Blame.lines(
                of: [JSONPointer()], in: state, at: CommitNumber(position), journal: run.journal)
            let found = lines.map { "\($0.path.text) \($0.record?.offset.rawValue ?? -1) \($0.value.text())" }
            #expect(found == authors.lines, "seed \(seed) at \(position)")
        }
    }

    @Test("a part is blamed as it is within the whole", arguments: seeds(0..<60))
    func parts(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, foreign: true)
        let end = run.range.upper
        let state = run.states[end.rawValue] ?? .null
        for line in try Blame.lines(of: [JSONPointer()], in: state, at: end, journal: run.journal) {
            let one = try Blame.lines(of: [line.path], in: state, at: end, journal: run.journal)
            #expect(one.map(\.record?.offset) == [line.record?.offset], "seed \(seed), \(line.path.text)")
        }
    }

    @Test("in reverse, a leaf is written over by the first record whose authors lack it", arguments: seeds(0..<40))
    func nextWriter(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, foreign: seed % 3 != 0)
        for position in run.positions where position % 7 == 0 {
            let state = run.states[position] ?? .null
            let lines = try Blame.lines(
                of: [JSONPointer()], in: state, at: CommitNumber(position), .nextWriter, journal: run.journal)
            let expected = try Authors.nextWriters(run, from: position, in: state)
            #expect(lines.map { $0.record?.offset.rawValue ?? -1 } == expected, "seed \(seed) at \(position)")
        }
    }

    @Test(
        "what an ignored commit replaced is blamed on who wrote that, with the value that was written",
        arguments: seeds(0..<60))
    func ignored(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, foreign: true)
        let end = run.range.upper.rawValue
        let state = run.states[end] ?? .null
        // What one of the last commits replaced is still there at the end.
        for left in Set([Int(seed) % (end + 1), end - 3, end - 2, end - 1, end]) {
            let list = try CommitList(parsing: "\(left)")
            try Authors.visit(run, ignoring: left) { position, authors in
                guard position == end else { return }
                let lines = try Blame.lines(
                    of: [JSONPointer()], in: state, at: CommitNumber(end), ignoring: list, journal: run.journal)
                // What an operation says was there before has its members in the order of who recorded it.
                let found = lines.map {
                    "\($0.path.text) \($0.record?.offset.rawValue ?? -1) \($0.value.text(.canonical))"
                }
                #expect(found == authors.lines, "seed \(seed) without \(left)")
            }
        }
    }
}

/// A value with the record that last wrote each part of it.
private struct Authors {
    private enum Shape {
        case leaf(JSONValue)
        case object([(key: String, part: Authors)])
        case array([Authors])
    }

    /// The record that last wrote something at or below it, by its offset.
    private var last: Int
    private var shape: Shape
    /// What an ignored commit replaced here, as long as it changes nothing below afterwards.
    private var replaced: (value: JSONValue, author: Int)?

    private init(last: Int, _ shape: Shape) {
        self.last = last
        self.shape = shape
    }

    /// A value that a record wrote whole.
    init(_ value: JSONValue, by record: Int) {
        last = record
        switch value {
        case .object(let members) where !members.isEmpty:
            shape = .object(members.map { ($0.key, Authors($0.value, by: record)) })
        case .array(let elements) where !elements.isEmpty:
            shape = .array(elements.map { Authors($0, by: record) })
        default: shape = .leaf(value)
        }
    }

    /// One line for each leaf: its path, its author, its value.
    var lines: [String] {
        var lines: [String] = []
        func visit(_ part: Authors, _ path: JSONPointer) {
            switch part.shape {
            case .leaf(let value):
                lines.append("\(path.text) \(part.last) \((part.replaced?.value ?? value).text(.canonical))")
            case .object(let members):
                for (key, part) in members.sorted(by: { UTF8Order.isLess($0.key, $1.key) }) {
                    visit(part, path.appending(key))
                }
            case .array(let elements):
                for (index, part) in elements.enumerated() { visit(part, path.appending(String(index))) }
            }
        }
        visit(self, JSONPointer())
        return lines
    }

    // MARK: Operations

    /// Applies an operation of a record; `before` is the value before it, to copy from.
    mutating func apply(_ operation: JSONPatch.Operation, by record: Int, before: JSONValue, isIgnored: Bool) {
        switch operation {
        case .test: break
        case .replace(let path, let value, _): put(value, at: path, by: record, before, isIgnored)
        case .add(let path, let value): add(value, at: path, by: record, before, isIgnored)
        case .copy(let from, let path): add(from.value(in: before) ?? .null, at: path, by: record, before, isIgnored)
        case .remove(let path, _): _ = take(path.segments[...], by: record)
        case .move(let from, let path):
            if from == path { break }
            if path.segments.isEmpty {
                self = part(at: from.segments[...])
            } else {
                let moved = take(from.segments[...], by: record)
                insert(moved, at: path.segments[...], by: record)
            }
        }
    }

    private mutating func put(
        _ value: JSONValue, at path: JSONPointer, by record: Int, _ before: JSONValue, _ isIgnored: Bool
    ) {
        var written = Authors(value, by: record)
        if isIgnored, let old = path.value(in: before) { written.keep(part(at: path.segments[...]), old) }
        edit(path.segments[...], by: record) { $0 = written }
    }

    private mutating func add(
        _ value: JSONValue, at path: JSONPointer, by record: Int, _ before: JSONValue, _ isIgnored: Bool
    ) {
        if case .object? = path.parent?.value(in: before), path.value(in: before) != nil {
            return put(value, at: path, by: record, before, isIgnored)
        }
        guard !path.segments.isEmpty else { return self = Authors(value, by: record) }
        insert(Authors(value, by: record), at: path.segments[...], by: record)
    }

    /// Takes over the authors of what was at the same places before.
    private mutating func keep(_ old: Authors, _ value: JSONValue) {
        let former = old.replaced ?? (value, old.last)
        replaced = former
        switch (shape, old.shape) {
        case (.leaf, _): last = former.author
        case (.object(var members), .object(let olds)):
            for index in members.indices {
                let key = members[index].key
                guard let old = olds.first(where: { UTF8Order.equal($0.key, key) }) else { continue }
                members[index].part.keep(old.part, JSONPointer([key]).value(in: value) ?? .null)
            }
            shape = .object(members)
        case (.array(var elements), .array(let olds)):
            for index in elements.indices where index < olds.count {
                elements[index].keep(olds[index], JSONPointer(["\(index)"]).value(in: value) ?? .null)
            }
            shape = .array(elements)
        default: break
        }
    }

    private func part(at path: ArraySlice<String>) -> Authors {
        var part = self
        for segment in path {
            switch part.shape {
            case .object(let members): part = members.first { UTF8Order.equal($0.key, segment) }!.part
            case .array(let elements): part = elements[Int(segment)!]
            case .leaf: return part
            }
        }
        return part
    }

    private mutating func edit(_ path: ArraySlice<String>, by record: Int, _ body: (inout Authors) -> Void) {
        guard let segment = path.first else { return body(&self) }
        (last, replaced) = (record, nil)
        switch shape {
        case .object(var members):
            let index = members.firstIndex { UTF8Order.equal($0.key, segment) }!
            members[index].part.edit(path.dropFirst(), by: record, body)
            shape = .object(members)
        case .array(var elements):
            elements[Int(segment)!].edit(path.dropFirst(), by: record, body)
            shape = .array(elements)
        case .leaf: break
        }
    }

    private mutating func insert(_ part: Authors, at path: ArraySlice<String>, by record: Int) {
        guard let name = path.last else { return self = part }
        edit(path.dropLast(), by: record) { container in
            (container.last, container.replaced) = (record, nil)
            switch container.shape {
            case .object(var members):
                members.removeAll { UTF8Order.equal($0.key, name) }
                container.shape = .object(members + [(name, part)])
            case .array(var elements):
                elements.insert(part, at: name == "-" ? elements.count : Int(name)!)
                container.shape = .array(elements)
            case .leaf(.array): container.shape = .array([part])
            case .leaf: container.shape = .object([(name, part)])
            }
        }
    }

    private mutating func take(_ path: ArraySlice<String>, by record: Int) -> Authors {
        guard let name = path.last else { return self }
        let taken = part(at: path)
        edit(path.dropLast(), by: record) { container in
            (container.last, container.replaced) = (record, nil)
            switch container.shape {
            case .object(var members):
                members.removeAll { UTF8Order.equal($0.key, name) }
                container.shape = members.isEmpty ? .leaf(.object(JSONObject())) : .object(members)
            case .array(var elements):
                elements.remove(at: Int(name)!)
                container.shape = elements.isEmpty ? .leaf(.array([])) : .array(elements)
            case .leaf: break
            }
        }
        return taken
    }

    // MARK: Runs

    /// Visits the authors at each position of a run.
    static func visit(
        _ run: RandomRun, ignoring ignored: Int = -1, _ visit: (Int, Authors) throws -> Void
    ) throws {
        var authors = Authors(.object(JSONObject()), by: -1)
        var closing: [String] = []
        var position = run.range.lower.rawValue
        var reader = run.journal.records()
        func told() throws { if run.states[position] != nil { try visit(position, authors) } }
        while let line = try reader.next() {
            if line.seq.rawValue > position {
                try told()
                position = line.seq.rawValue
                for store in closing { _ = authors.take([store], by: line.offset.rawValue) }
                closing = []
            }
            try authors.take(line, &closing, run, isIgnored: position == ignored)
        }
        try told()
    }

    private mutating func take(
        _ line: RecordLine, _ closing: inout [String], _ run: RandomRun, isIgnored: Bool
    ) throws {
        let offset = line.offset.rawValue
        switch line.kind {
        case .store:
            let store = try line.decode(order: .ascending) { (o) throws(RecordFault) in try StoreRecord(o) }
            closing.removeAll { UTF8Order.equal($0, store.store) }
            insert(Authors(store.state, by: offset), at: [store.store], by: offset)
        case .close: closing.append(try line.decode { (o) throws(RecordFault) in try CloseRecord(o) }.store)
        case .gap:
            let gap = try line.decode(order: .ascending) { (o) throws(RecordFault) in try GapRecord(o) }
            self = Authors(.object(gap.states), by: offset)
        case .commit:
            let commit = try line.decode(order: .ascending) { (o) throws(RecordFault) in try CommitRecord(o) }
            var state = try run.journal.state(at: line.seq.previous).value
            for operation in commit.patch.inStore(commit.store).operations {
                apply(operation, by: offset, before: state, isIgnored: isIgnored)
                try JSONPatch([operation]).apply(to: &state, order: .ascending)
            }
        default: break
        }
    }

    /// The record after a position that is the first after which a leaf is not there any more as it was: each leaf is given
    /// an author of its own, and is looked for in the authors after each record.
    static func nextWriters(_ run: RandomRun, from position: Int, in state: JSONValue) throws -> [Int] {
        var mark = -1
        func marked(_ value: JSONValue) -> Authors {
            var authors = Authors(value, by: 0)
            authors.markLeaves(&mark)
            return authors
        }
        var authors = marked(state)
        var found = [Int](repeating: -1, count: -1 - mark)
        var missing = Set((mark..<(-1)).map { $0 })
        var closing: [String] = []
        var reader = run.journal.records()
        while let line = try reader.next() {
            if line.kind == .close, line.seq.rawValue >= position { continue }
            guard line.seq.rawValue > position, [.store, .gap, .commit].contains(line.kind) else { continue }
            try authors.take(line, &closing, run, isIgnored: false)
            var left: Set<Int> = []
            authors.collect(&left)
            for gone in missing.subtracting(left) { found[-2 - gone] = line.offset.rawValue }
            missing.formIntersection(left)
        }
        return found
    }

    private mutating func markLeaves(_ mark: inout Int) {
        switch shape {
        case .leaf:
            mark -= 1
            last = mark
        case .object(var members):
            members.sort { UTF8Order.isLess($0.key, $1.key) }
            for index in members.indices { members[index].part.markLeaves(&mark) }
            shape = .object(members)
        case .array(var elements):
            for index in elements.indices { elements[index].markLeaves(&mark) }
            shape = .array(elements)
        }
    }

    private func collect(_ marks: inout Set<Int>) {
        switch shape {
        case .leaf: marks.insert(last)
        case .object(let members): for member in members { member.part.collect(&marks) }
        case .array(let elements): for element in elements { element.collect(&marks) }
        }
    }
}
