import JSONCore
import JournalFormat
import JournalReading

/// The states that the chunks of a run begin with: whole, or as what changed since the chunk before began.
///
/// Large states of which each commit changes little would be most of a page if every chunk began with a whole one. The
/// cost of applying patches is bounded by the number of patches after a whole state, and by their length together. A
/// run's own first states, where they are large, take the place of a whole one: they are a chunk of their own, and the
/// next one continues where that ends. The page's own reader is `beginning` in `Page/run.js`; the two change together.
struct BeginningChain {
    struct Limits {
        var patches = 32
        /// The most bytes of patches; more where the state is large.
        var length = 8 << 20
        /// How many times the length of the state the patches may have.
        var lengthPerState = 2
    }

    /// What the state of a chunk is made from; the page knows them by their numbers.
    enum Source: Int {
        /// It is there whole, as `states`.
        case whole = 0
        /// The state that the chunk before begins with, and a `patch`.
        case patch = 1
        /// The state that the chunk before ends with.
        case end = 2
    }

    /// How a chunk says the state that it begins with.
    struct Beginning {
        let source: Source
        /// In bytes of JSON.
        let length: Int
        let content: [UInt8]
    }

    private let limits: Limits
    private let packer: GzipPacker?
    /// The state that the chunk before begins with.
    private var base: JSONObject?
    /// The lengths of the whole state that the patches lead back to: as JSON, and on the page.
    private(set) var whole = (plain: 0, packed: 0)
    /// The number of patches since, and their length.
    private var patches = (count: 0, length: 0)

    init(_ limits: Limits, _ packer: GzipPacker?) {
        self.limits = limits
        self.packer = packer
    }

    /// The part of the whole state's content that a chunk bears, where the chain is as long as it may be.
    var shareOfWhole: Int { whole.packed / (limits.patches + 1) }

    mutating func next(_ state: PositionState) throws -> Beginning {
        defer { base = state.stores }
        if let base, let patch = try patch(from: base, to: state) { return patch }
        let states = try beginning(.whole, "states", .object(state.stores), state)
        whole = (states.length, states.content.count)
        patches = (0, 0)
        return states
    }

    /// After the run's first states, whose chunk has these lengths as JSON and on the page.
    mutating func goOn(with state: PositionState, after lengths: (plain: Int, packed: Int)) -> Beginning {
        base = state.stores
        whole = lengths
        patches = (0, 0)
        return Beginning(source: .end, length: 0, content: [])
    }

    private mutating func patch(from base: JSONObject, to state: PositionState) throws -> Beginning? {
        guard patches.count < limits.patches else { return nil }
        let difference = JSONPatch.exactDifference(from: .object(base), to: .object(state.stores))
        let patch = try beginning(.patch, "patch", difference.withoutOld.json, state)
        let length = patches.length + patch.length
        guard patch.content.count <= whole.packed / 2,
            length <= max(limits.length, limits.lengthPerState * whole.plain)
        else { return nil }
        patches = (patches.count + 1, length)
        return patch
    }

    private func beginning(
        _ source: Source, _ member: String, _ value: JSONValue, _ state: PositionState
    ) throws -> Beginning {
        var object = JSONObject()
        object[member] = value
        object["closing"] = .array(state.closing.map(JSONValue.string))
        var writer = JSONWriter()
        writer.write(.object(object))
        let content = try packer.map { try $0.finish($0.begin(writer.bytes)) } ?? writer.bytes
        return Beginning(source: source, length: writer.bytes.count, content: content)
    }
}

extension JSONPatch {
    /// The patch from one value to another, also where only the text of a number differs: a page shows `1.0` as it is written.
    static func exactDifference(from old: JSONValue, to new: JSONValue) -> JSONPatch {
        var patch = difference(from: old, to: new)
        var reached = old
        // What was made from two values applies to the first.
        guard (try? patch.apply(to: &reached)) != nil, reached == new else {
            return JSONPatch([.replace(JSONPointer(), new, old: old)])
        }
        var path: [String] = []
        patch.appendTexts(from: reached, to: new, at: &path)
        return patch
    }

    /// Replaces the numbers of a value by those of an equal one where their texts differ.
    private mutating func appendTexts(from old: JSONValue, to new: JSONValue, at path: inout [String]) {
        if old.sharesStorage(with: new) { return }
        switch (old, new) {
        case (.number(let x), .number(let y)):
            if x.text != y.text { operations.append(.replace(JSONPointer(path), new, old: nil)) }
        case (.array(let x), .array(let y)):
            for index in 0..<min(x.count, y.count) where !JSONArray.isSame(x, y, at: index) {
                path.append(String(index))
                appendTexts(from: x[index], to: y[index], at: &path)
                path.removeLast()
            }
        case (.object(let x), .object(let y)):
            for (key, value) in y {
                guard let other = x[key] else { continue }
                path.append(key)
                appendTexts(from: other, to: value, at: &path)
                path.removeLast()
            }
        default: break
        }
    }

    /// Old values are of no use to a reader that only goes forward.
    fileprivate var withoutOld: JSONPatch {
        JSONPatch(
            operations.map { operation in
                switch operation {
                case .remove(let path, _): .remove(path, old: nil)
                case .replace(let path, let value, _): .replace(path, value, old: nil)
                default: operation
                }
            })
    }
}
