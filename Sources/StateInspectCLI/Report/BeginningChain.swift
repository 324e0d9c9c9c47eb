import JSONCore
import JournalFormat

/// The states that the chunks of a run begin with: whole, or as what changed since the chunk before began.
///
/// Large states of which each commit changes little would be most of a page if every chunk began with a whole one. So a whole
/// state is followed by patches, and whoever opens a chunk applies those up to it. What that takes is bounded: by the number
/// of patches behind a whole state, and by their length together. The page's own reader is `beginning` in
/// `PageScript+Chunks.swift`; the two change together.
struct BeginningChain {
    /// How far the patches behind a whole state may go.
    struct Limits {
        /// The most patches.
        var patches = 32
        /// The most bytes of patches; more where the state is large.
        var length = 8 << 20
        /// How many times the length of the state the patches may have.
        var lengthPerState = 2
    }

    /// How a chunk says the state that it begins with.
    struct Beginning {
        /// One line of JSON: `states`, or `patch` to the state that the chunk before begins with; and `closing`.
        let line: [UInt8]
        /// What it comes to on the page.
        let content: [UInt8]
        /// Whether the chunk before is needed.
        let isPatch: Bool
    }

    private let limits: Limits
    private let packer: GzipPacker?
    /// The state that the chunk before begins with.
    private var base: JSONObject?
    /// The whole state that the patches lead back to.
    private(set) var whole = Beginning(line: [], content: [], isPatch: false)
    /// The number of patches since, and their length.
    private var patches = (count: 0, length: 0)

    /// A chain with nothing in it.
    init(_ limits: Limits, _ packer: GzipPacker?) {
        self.limits = limits
        self.packer = packer
    }

    /// The part of the whole state's content that a chunk bears, where the chain is as long as it may be.
    var shareOfWhole: Int { whole.content.count / (limits.patches + 1) }

    /// What the next chunk begins with.
    mutating func next(_ state: PositionState) throws -> Beginning {
        defer { base = state.stores }
        if let base, let patch = try patch(from: base, to: state) { return patch }
        whole = try beginning("states", .object(state.stores), state, isPatch: false)
        patches = (0, 0)
        return whole
    }

    /// A patch, where it is worth one.
    private mutating func patch(from base: JSONObject, to state: PositionState) throws -> Beginning? {
        guard patches.count < limits.patches else { return nil }
        let difference = JSONPatch.exactDifference(from: .object(base), to: .object(state.stores))
        let patch = try beginning("patch", difference.withoutOld.json, state, isPatch: true)
        let length = patches.length + patch.line.count
        guard patch.content.count <= whole.content.count / 2,
            length <= max(limits.length, limits.lengthPerState * whole.line.count)
        else { return nil }
        patches = (patches.count + 1, length)
        return patch
    }

    private func beginning(
        _ member: String, _ value: JSONValue, _ state: PositionState, isPatch: Bool
    ) throws -> Beginning {
        var object = JSONObject()
        object[member] = value
        object["closing"] = .array(state.closing.map(JSONValue.string))
        var writer = JSONWriter()
        writer.write(.object(object))
        let content = try packer.map { try $0.finish($0.begin(writer.bytes)) } ?? writer.bytes
        return Beginning(line: writer.bytes, content: content, isPatch: isPatch)
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
        patch.appendTexts(from: reached, to: new, at: [])
        return patch
    }

    /// Replaces the numbers of a value by those of an equal one where their texts differ.
    private mutating func appendTexts(from old: JSONValue, to new: JSONValue, at path: [String]) {
        switch (old, new) {
        case (.number(let x), .number(let y)):
            if x.text != y.text { operations.append(.replace(JSONPointer(path), new, old: nil)) }
        case (.array(let x), .array(let y)):
            for (index, pair) in zip(x, y).enumerated() {
                appendTexts(from: pair.0, to: pair.1, at: path + [String(index)])
            }
        case (.object(let x), .object(let y)):
            if x.sharesStorage(with: y) { return }
            for (key, value) in y {
                if let other = x[key] { appendTexts(from: other, to: value, at: path + [key]) }
            }
        default: break
        }
    }

    /// The patch for whoever only goes forward.
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
