internal import JSONCore

/// The last written state, or a part of it.
///
/// A plain typed value stays as it is, as a ``ValueNode``, and is only expanded where it changed: the tree is a second
/// copy of what changed, not of the state.
enum EncodedTree {
    case scalar(Scalar)
    case object(ObjectNode)
    case array(ArrayNode)
    case value(ValueNode)

    /// A lower bound of its text's length, found without looking below.
    var leastLength: Int {
        switch self {
        case .scalar(.string(let text)), .scalar(.written(let text)): text.utf8.count
        case .scalar: 1
        case .object(let object): object.keys.count * 4
        case .array(let array): array.elements.count * 2
        case .value(let node): node.leastLength
        }
    }

    /// Whether it is text in which what is redacted is already hashed.
    var isWritten: Bool {
        if case .scalar(.written) = self { true } else { false }
    }

    static func identical(_ a: EncodedTree, _ b: EncodedTree) -> Bool {
        switch (a, b) {
        case (.value(let x), .value(let y)): x === y
        case (.object(let x), .object(let y)): x === y
        case (.array(let x), .array(let y)): x === y
        case (.scalar(let x), .scalar(let y)): Scalar.same(x, y)
        default: false
        }
    }
}

final class ArrayNode {
    @safe @exclusivity(unchecked) var elements: [EncodedTree]

    init(_ elements: [EncodedTree] = []) {
        self.elements = elements
    }
}

/// The members of an object, in the order in which they were encoded.
final class ObjectNode {
    /// From this many members on, a name is looked up by its hash.
    private static let hashedSize = 16

    @safe @exclusivity(unchecked) private(set) var keys: [String] = []
    @safe @exclusivity(unchecked) var values: [EncodedTree] = []
    @safe @exclusivity(unchecked) private var places: [UTF8Key: Int] = [:]
    /// What the members were before parts of them were hidden for a type; nil where nothing was, or that is not kept.
    @safe @exclusivity(unchecked) var hidden: HiddenMembers?

    init(capacity: Int = 0) {
        keys.reserveCapacity(capacity)
        values.reserveCapacity(capacity)
    }

    init(_ names: MemberNames, _ values: [EncodedTree]) {
        keys = names.names
        self.values = values
        if keys.count > Self.hashedSize { hashKeys() }
    }

    /// A copy of the first `count` members of another object.
    init(first count: Int, of other: ObjectNode) {
        keys = Array(other.keys[..<count])
        values = Array(other.values[..<count])
        if count > Self.hashedSize { hashKeys() }
    }

    /// The place of a member; `near` is its most likely place.
    func place(of key: String, near: Int = 0) -> Int? {
        if near < keys.count, UTF8Order.equal(keys[near], key) { return near }
        if keys.count > Self.hashedSize { return places[UTF8Key(key)] }
        return keys.firstIndex { UTF8Order.equal($0, key) }
    }

    func append(_ value: EncodedTree, forKey key: String) {
        keys.append(key)
        values.append(value)
        if keys.count > Self.hashedSize + 1 {
            places[UTF8Key(key)] = keys.count - 1
        } else if keys.count > Self.hashedSize {
            hashKeys()
        }
    }

    private func hashKeys() {
        for (place, key) in keys.enumerated() {
            places[UTF8Key(key)] = place
        }
    }
}

/// A member's name, hashed and compared by its bytes.
package struct UTF8Key: Hashable, Sendable {
    let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (a: UTF8Key, b: UTF8Key) -> Bool {
        UTF8Order.equal(a.text, b.text)
    }

    package func hash(into hasher: inout Hasher) {
        UTF8Order.hash(text, into: &hasher)
    }
}
