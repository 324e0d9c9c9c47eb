import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import TimeTravel

/// Makes a random journal whose commits copy, compute, move and undo values, and keeps of each value the way that it took.
///
/// The state is `{"slots":{"a":…},"lists":{"x":[…],"y":[…]}}`. Every value is a text of its own when it comes in, or one of a few, so
/// that equal ones meet by chance: then the way is the true one, which no answer can know.
struct ProvenanceMaker {
    /// A hop as it must come out.
    struct Hop: Equatable {
        var path: String
        var seq: Int
        var how: Origin.How
        var basis: Origin.Basis
        var candidates: [String] = []

        init(
            _ path: String, _ seq: Int, _ how: Origin.How, _ basis: Origin.Basis, candidates: [String] = []
        ) {
            (self.path, self.seq, self.how, self.basis, self.candidates) = (path, seq, how, basis, candidates)
        }

        init(_ hop: Origin.Hop) {
            self.init(
                hop.path.text, hop.record.seq.rawValue, hop.how, hop.basis, candidates: hop.candidates.map(\.text))
        }
    }

    /// A value with its way, the newest hop first.
    private struct Value {
        var text: String
        var way: [Hop]
    }

    private static let slots = ["a", "b", "c", "d"]
    /// How many texts there are; nil where none comes in twice.
    private let variety: Int?
    private var slots: [String: Value] = [:]
    private var lists: [String: [Value]] = ["x": [], "y": []]
    private var seq = 0
    private var made = 0
    private var random: SeededGenerator
    /// What a slot held before a commit that wrote it, for undoing that.
    private var replaced: [(seq: Int, slot: String, value: Value)] = []
    /// What the last commit wrote, for the one that it causes.
    private var written: (seq: Int, value: Value)?
    private(set) var journal = OriginRun.begin(ProvenanceMaker.opening)

    private static let opening =
        #"{"slots":{"a":"opened as a","b":"opened as b","c":"opened as c","d":"opened as d"},"lists":{"x":[],"y":[]}}"#

    init(seed: UInt64, variety: Int? = nil) {
        self.variety = variety
        random = SeededGenerator(seed: seed)
        for slot in Self.slots {
            slots[slot] = Value(text: "opened as \(slot)", way: [Hop("/s/slots/\(slot)", 0, .initial, .recorded)])
        }
    }

    /// The way of each value that stands somewhere, by its path.
    var ways: [(path: String, way: [Hop])] { places.map { ($0.path, $0.value.way) } }

    private var places: [(path: String, value: Value)] {
        ["x", "y"].flatMap { list in
            lists[list]!.enumerated().map { ("/s/lists/\(list)/\($0)", $1) }
        } + Self.slots.map { ("/s/slots/\($0)", slots[$0]!) }
    }

    /// Adds a random commit.
    mutating func commit() {
        seq += 1
        let slot = Self.slots.randomElement(using: &random)!
        let list = ["x", "y"].randomElement(using: &random)!
        let index = Int.random(in: 0...lists[list]!.count, using: &random)
        let wasWritten = written
        written = nil
        switch Int.random(in: 0..<9, using: &random) {
        case 0: set(slot, made(at: "/s/slots/\(slot)", .computed))
        case 1:
            let value = made(at: "/s/slots/\(slot)", .payload)
            set(slot, value, action: EncodedAction(type: "Set", payload: Array(#"{"to":"\#(value.text)"}"#.utf8)))
        case 2: set(slot, copied(to: "/s/slots/\(slot)"))
        case 3: insert(made(at: "/s/lists/\(list)/\(index)", .computed), list, index)
        case 4: insert(copied(to: "/s/lists/\(list)/\(index)"), list, index)
        case 5 where index < lists[list]!.count: remove(list, index)
        case 6 where index < lists[list]!.count: move(list, index)
        case 7:
            guard let last = replaced.last(where: { $0.slot == slot }), last.value.text != slots[slot]!.text else {
                fallthrough
            }
            let way = [Hop("/s/slots/\(slot)", seq, .copied, .recorded)] + last.value.way
            set(slot, Value(text: last.value.text, way: way), undoes: last.seq)
        case 8:
            guard let wasWritten, wasWritten.value.text != slots[slot]!.text else { fallthrough }
            let way = [Hop("/s/slots/\(slot)", seq, .copied, .recorded)] + wasWritten.value.way
            set(slot, Value(text: wasWritten.value.text, way: way), cause: wasWritten.seq)
        default: record("[]")
        }
    }

    private mutating func made(at path: String, _ how: Origin.How) -> Value {
        made += 1
        let number = variety.map { Int.random(in: 0..<$0, using: &random) } ?? made
        return Value(
            text: "value number \(number)", way: [Hop(path, seq, how, how == .payload ? .recorded : .inferred)])
    }

    /// A value that stands somewhere, with the way that it takes by being written at another place.
    private mutating func copied(to path: String) -> Value {
        let source = places.randomElement(using: &random)!
        let equal = places.filter { $0.value.text == source.value.text }.map(\.path)
        // Written over itself, or beside itself at its own place, it is not copied.
        if equal.contains(path) { return made(at: path, .computed) }
        guard variety != nil || equal.count == 1 else {
            return Value(text: source.value.text, way: [Hop(path, seq, .written, .inferred, candidates: equal)])
        }
        return Value(text: source.value.text, way: [Hop(path, seq, .copied, .inferred)] + source.value.way)
    }

    private mutating func set(
        _ slot: String, _ value: Value, action: EncodedAction? = nil, cause: Int? = nil, undoes: Int? = nil
    ) {
        let old = slots[slot]!
        replaced.append((seq, slot, old))
        // Written again as it was, it has the way that it had.
        let value = value.text == old.text ? old : value
        slots[slot] = value
        written = (seq, value)
        record(
            #"[{"op":"replace","path":"/slots/\#(slot)","value":"\#(value.text)","old":"\#(old.text)"}]"#,
            action: action,
            cause: cause, undoes: undoes)
    }

    private mutating func insert(_ value: Value, _ list: String, _ index: Int) {
        lists[list]!.insert(value, at: index)
        shift(list, from: index + 1)
        written = (seq, value)
        record(#"[{"op":"add","path":"/lists/\#(list)/\#(index)","value":"\#(value.text)"}]"#)
    }

    private mutating func remove(_ list: String, _ index: Int) {
        let old = lists[list]!.remove(at: index)
        shift(list, from: index)
        record(#"[{"op":"remove","path":"/lists/\#(list)/\#(index)","old":"\#(old.text)"}]"#)
    }

    /// Moves an element to the front of the other list.
    private mutating func move(_ list: String, _ index: Int) {
        let other = list == "x" ? "y" : "x"
        let value = lists[list]!.remove(at: index)
        shift(list, from: index)
        lists[other]!.insert(value, at: 0)
        note(.recorded, other, 0)
        shift(other, from: 1)
        record(#"[{"op":"move","from":"/lists/\#(list)/\#(index)","path":"/lists/\#(other)/0"}]"#)
    }

    private mutating func shift(_ list: String, from index: Int) {
        for index in lists[list]!.indices.dropFirst(index) { note(.inferred, list, index) }
    }

    /// Notes that an element came to another place; all that follow one another are one hop.
    private mutating func note(_ basis: Origin.Basis, _ list: String, _ index: Int) {
        var way = lists[list]![index].way
        var hop = Hop("/s/lists/\(list)/\(index)", seq, .moved, basis)
        if let last = way.first, last.how == .moved {
            if last.basis == .inferred { hop.basis = .inferred }
            way.removeFirst()
        }
        lists[list]![index].way = [hop] + way
    }

    private mutating func record(
        _ patch: String, action: EncodedAction? = nil, cause: Int? = nil, undoes: Int? = nil
    ) {
        journal.beginCommit(
            seq: CommitNumber(seq), store: "s", version: seq, time: OriginRun.time,
            at: SourceLocation(file: "T/F.swift", line: 1, column: 1, function: "f()"), action: action,
            cause: cause.map { CommitNumber($0) }, undoes: undoes.map { CommitNumber($0) })
        Array(patch.utf8).withBytes { journal.raw($0) }
        journal.endRecord()
    }
}
