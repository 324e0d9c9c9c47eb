import Foundation
import JSONCore
import JournalFormat
import JournalReading
import StateStore

/// A kind of journal that commands are measured on.
enum JournalShape: String, CaseIterable {
    /// The shop of the other benchmarks, as our recorder writes it.
    case shop
    /// The same as another writer does: with blanks, without sums and keyframes.
    case foreign
    /// Fifty stores that take turns.
    case stores
    /// A state of ten thousand entities in one list, of which each commit changes one.
    case wide
    /// A number below thirty levels of objects.
    case deep
    /// A text of four kilobytes, replaced by every eighth commit.
    case long

    /// A question about it that most commits do not touch, one that some do, and one that all do.
    var questions: (sparse: String, some: String, all: String) {
        switch self {
        case .shop, .foreign: (".shop.cart.discount > 5", ".shop.cart.total < 0", ".shop == {}")
        case .stores: (".store7.count < 0", "[.store7, .store8, .store9] | any(.count < 0)", ". == {}")
        case .wide: (".list.entities[17].score < 0", ".list.count < 0", ".list == {}")
        case .deep: (".deep.other < 0", ".deep.count < 0", ".deep == {}")
        case .long: (".text.other < 0", ".text.text == null", ".text == {}")
        }
    }

    /// A sum over a list of which commits change few elements at a time; nil where there is none.
    var sum: String? {
        switch self {
        case .shop, .foreign: ".shop.catalogue | map(.stock) | add"
        case .wide: ".list.entities | map(.score) | add"
        case .stores, .deep, .long: nil
        }
    }

    /// A place that hardly anything writes to.
    var quietPath: String {
        switch self {
        case .shop, .foreign: "/shop/cart/discount"
        case .stores: "/store7/count"
        case .wide: "/list/entities/17/score"
        case .deep: "/deep/other"
        case .long: "/text/other"
        }
    }

    /// A text that the lines have which matter to the first question, for a search of the file's text.
    var quietText: String { "\"/" + quietPath.split(separator: "/").dropFirst().joined(separator: "/") + "\"" }

    /// Writes a journal of so many commits.
    ///
    /// - Parameter shop: one of ``shop``, which ``foreign`` is made of.
    func write(to path: String, commits: Int, shop: String) throws {
        switch self {
        case .shop: try CommandRun(["journal", path, "\(commits)"]).checked()
        case .foreign: try JournalShape.writeForeign(shop, to: path)
        case .stores:
            try JournalShape.record(to: path) { recorder in
                let stores = (0..<50).map { Store(DictionaryState(4), name: "store\($0)", recorder: recorder) }
                for number in 0..<commits { stores[number % 50].commit { $0.count += 1 } }
            }
        case .wide:
            try JournalShape.record(to: path) { recorder in
                let store = Store(ArrayState(10_000), name: "list", recorder: recorder)
                for number in 0..<commits {
                    store.commit { state in
                        state.edit(number)
                        if number % 3 == 0 { state.count += 1 }
                    }
                }
            }
        case .deep:
            try JournalShape.record(to: path) { recorder in
                let store = Store(DeepState(), name: "deep", recorder: recorder)
                for number in 0..<commits {
                    store.commit { state in
                        state.nested.change(number)
                        if number % 3 == 0 { state.count += 1 }
                    }
                }
            }
        case .long:
            try JournalShape.record(to: path) { recorder in
                let store = Store(LongState(), name: "text", recorder: recorder)
                for number in 0..<commits {
                    store.commit { state in
                        state.count += 1
                        if number % 8 == 0 { state.text = String(repeating: "text \(number) ", count: 400) }
                    }
                }
            }
        }
    }

    private static func record(to path: String, _ body: (Recorder) -> Void) throws {
        let recorder = try Recorder(path)
        body(recorder)
        recorder.close()
    }

    // MARK: Another writer

    private static func writeForeign(_ source: String, to path: String) throws {
        let journal = try Journal.open(source, access: .random)
        guard let file = fopen(path, "w") else { throw CocoaError(.fileNoSuchFile) }
        defer { fclose(file) }
        var reader = journal.records()
        while let line = try reader.next() {
            guard line.kind != .keyframe, line.kind != .end, case .object(var record) = try JSONParser.parse(line.bytes)
            else { continue }
            record.removeValue(forKey: "sum")
            var text = ""
            append(.object(record), to: &text)
            text += "\n"
            fputs(text, file)
        }
    }

    /// As Python's `json.dumps` writes it.
    private static func append(_ value: JSONValue, to text: inout String) {
        switch value {
        case .array(let elements):
            text += "["
            for (place, element) in elements.enumerated() {
                if place > 0 { text += ", " }
                append(element, to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (place, member) in members.enumerated() {
                if place > 0 { text += ", " }
                text += JSONValue.string(member.key).text() + ": "
                append(member.value, to: &text)
            }
            text += "}"
        default: text += value.text()
        }
    }
}

/// A state of many levels.
private struct DeepState: Codable, Equatable, Sendable {
    indirect enum Nested: Codable, Equatable, Sendable {
        case leaf(Int)
        case level(Nested)

        init(levels: Int) { self = levels == 0 ? .leaf(0) : .level(Nested(levels: levels - 1)) }

        mutating func change(_ number: Int) {
            switch self {
            case .leaf: self = .leaf(number)
            case .level(var below):
                below.change(number)
                self = .level(below)
            }
        }
    }

    var count = 0
    var other = 0
    var nested = Nested(levels: 15)
}

/// A state with a long text.
private struct LongState: Codable, Equatable, Sendable {
    var count = 0
    var other = 0
    var text = ""
}
