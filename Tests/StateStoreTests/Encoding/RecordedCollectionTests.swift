import JSONCore
import StateStore
import Synchronization
import TestSupport
import Testing

@testable import StateEncoding

@Suite("Collections over a class that know their changes")
struct RecordedCollectionTests {
    /// A dictionary with an order, on a class that is copied before it changes where others refer to it.
    struct OrderedTable<Key: Hashable & Encodable, Value: Encodable>: RecordedTable {
        private final class Storage {
            var keys: [Key] = []
            var values: [Key: Value] = [:]
        }

        private var storage = Storage()

        subscript(key: Key) -> Value? {
            get { storage.values[key] }
            set {
                if !isKnownUniquelyReferenced(&storage) {
                    let copy = Storage()
                    (copy.keys, copy.values) = (storage.keys, storage.values)
                    storage = copy
                }
                if newValue == nil { storage.keys.removeAll { $0 == key } }
                if newValue != nil, storage.values[key] == nil { storage.keys.append(key) }
                storage.values[key] = newValue
            }
        }

        var keys: [Key] { storage.keys }
        var recordedCount: Int { storage.keys.count }
        func recordedValue(of key: Key) -> Value? { storage.values[key] }

        func forEachRecorded<Failure: Error>(_ body: (Key, Value) throws(Failure) -> Void) throws(Failure) {
            for key in storage.keys { if let value = storage.values[key] { try body(key, value) } }
        }

        /// What other encoders write: the pairs in their order.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for key in storage.keys {
                try container.encode(key)
                try container.encode(storage.values[key])
            }
        }
    }

    /// A list on a class, of which the same holds.
    struct SharedList<Element: Encodable>: RecordedList, RangeReplaceableCollection {
        private final class Storage {
            var elements: [Element]
            init(_ elements: [Element]) { self.elements = elements }
        }

        private var storage = Storage([])

        init() {}
        var startIndex: Int { 0 }
        var endIndex: Int { storage.elements.count }
        subscript(index: Int) -> Element { storage.elements[index] }

        mutating func replaceSubrange(_ range: Range<Int>, with elements: some Collection<Element>) {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.elements) }
            storage.elements.replaceSubrange(range, with: elements)
        }

        func encode(to encoder: any Encoder) throws { try storage.elements.encode(to: encoder) }
    }

    /// Counts how often it is encoded.
    struct Row: Encodable, Sendable {
        static let encodings = Mutex(0)
        var number: Int

        private enum Keys: CodingKey { case number }

        func encode(to encoder: any Encoder) throws {
            Row.encodings.withLock { $0 += 1 }
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(number, forKey: .number)
        }
    }

    struct State: Encodable {
        var table = OrderedTable<String, [Int]>()
        var rows = OrderedTable<Int, String>()
        var list = SharedList<String>()
        var other = 0
    }

    @Test("random edits of them give patches that lead there and back", arguments: seeds(1..<5))
    func randomEdits(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var state = State()
        let probe = try EncodingProbe(state)
        for step in 0..<120 {
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                let number = Int.random(in: 0..<12, using: &random)
                switch Int.random(in: 0..<7, using: &random) {
                case 0: state.table["k\(number)"] = [number, step]
                case 1: state.table["k\(number)"] = nil
                case 2: state.rows[number] = "row \(step)"
                case 3: state.rows[number] = nil
                case 4: state.list.insert("\(step)", at: Int.random(in: 0...state.list.count, using: &random))
                case 5: if !state.list.isEmpty { state.list.remove(at: number % state.list.count) }
                default: state.other += 1
                }
            }
            try probe.advance(to: state, "seed \(seed), step \(step)")
        }
    }

    @Test("a table stands in the journal as an object, a list as an array, each changed where it changed")
    func forms() throws {
        var state = State()
        state.table["b"] = [1]
        state.table["a"] = [2]
        state.list.append("x")
        let probe = try EncodingProbe(state)
        #expect(try probe.stateText() == #"{"list":["x"],"other":0,"rows":{},"table":{"a":[2],"b":[1]}}"#)
        state.table["a"] = [2, 3]
        state.list.append("y")
        let patch = try probe.advance(to: state)
        #expect(patch.contains(#"{"op":"add","path":"/table/a/1","value":3}"#), "\(patch)")
        #expect(patch.contains(#"{"op":"add","path":"/list/1","value":"y"}"#), "\(patch)")
    }

    @Test("of a large table only the row that changed is encoded, and of one that was left alone none")
    func cost() throws {
        struct Rows: Encodable {
            var rows = OrderedTable<Int, Row>()
            var other = 0
        }
        var state = Rows()
        for number in 0..<1_000 { state.rows[number] = Row(number: number) }
        let encoder = try StateEncoder(state)
        var bytes: [UInt8] = []
        Row.encodings.withLock { $0 = 0 }
        state.other = 1
        try encoder.advance(to: state, appendingPatchTo: &bytes)
        #expect(Row.encodings.withLock(\.self) == 0)
        state.rows[500]?.number = -1
        try encoder.advance(to: state, appendingPatchTo: &bytes)
        #expect(Row.encodings.withLock(\.self) <= 2)
    }
}
