/// Collects the members of an object while they are encoded.
///
/// While they come in the order of the predecessor, only those that differ are kept, and nothing is allocated for the
/// others. Without a predecessor, they are kept without their names while these are the expected ones. The first one
/// out of order makes it an object of its own.
final class ObjectBuilder {
    @safe @exclusivity(unchecked) private var base: ObjectNode?
    @safe @exclusivity(unchecked) private var matched = 0
    @safe @exclusivity(unchecked) private var changes: [MemberChange] = []
    @safe @exclusivity(unchecked) private var own: ObjectNode?
    /// The expected names, and the members that had them.
    @safe @exclusivity(unchecked) private var names: MemberNames?
    @safe @exclusivity(unchecked) private var values: [EncodedTree] = []

    /// Begins an object; without arguments it only forgets the one before.
    ///
    /// - Parameters:
    ///   - base: the predecessor.
    ///   - names: the expected members, without a predecessor.
    ///   - own: the object, if it is one of its own from the beginning.
    func begin(_ base: ObjectNode? = nil, names: MemberNames? = nil, own: ObjectNode? = nil) {
        (self.base, self.own, matched) = (base, own, 0)
        self.names = base == nil ? names : nil
        if !changes.isEmpty { changes = [] }
        if !values.isEmpty { values = [] }
        if let names = self.names { values.reserveCapacity(names.names.count) }
    }

    /// Whether the next member in the predecessor's order has this name and equal bytes; then it is finished.
    ///
    /// ``put(_:forKey:after:)`` would find the same, but retains what it compares; most members of most commits end
    /// here.
    @inline(__always)
    func keeps<Value>(_ value: Value, forKey key: String) -> Bool {
        guard own == nil, let base, matched < base.keys.count, RawBytes.same(base.keys[matched], key),
            case .value(let node) = base.values[matched], node.traits.identifier == ObjectIdentifier(Value.self),
            node.traits.isPlain, withAddress(of: value, { node.holdsBytes(at: $0) })
        else { return false }
        matched += 1
        return true
    }

    /// Whether the next member in the predecessor's order has this name and is this scalar; then it is finished.
    @inline(__always)
    func keeps(_ scalar: Scalar, forKey key: String) -> Bool {
        guard own == nil, let base, matched < base.keys.count, RawBytes.same(base.keys[matched], key),
            case .scalar(let before) = base.values[matched], Scalar.same(before, scalar)
        else { return false }
        matched += 1
        return true
    }

    @inline(__always)
    func predecessor(_ key: String) -> Predecessor {
        guard let base else { return Predecessor(place: nil, value: nil) }
        let near = own?.keys.count ?? matched
        if near < base.keys.count, RawBytes.same(base.keys[near], key) {
            return Predecessor(place: near, value: base.values[near])
        }
        let place = base.place(of: key, near: near)
        return Predecessor(place: place, value: place.map { base.values[$0] })
    }

    struct Predecessor {
        let place: Int?
        let value: EncodedTree?
    }

    /// Sets a member; the last of two with one name wins, as in a dictionary.
    @inline(__always)
    func put(_ value: EncodedTree, forKey key: String, after predecessor: Predecessor) {
        guard own == nil, let place = predecessor.place, place == matched, let before = predecessor.value else {
            return putOutOfOrder(value, forKey: key)
        }
        if !EncodedTree.identical(before, value) { changes.append(MemberChange(place: place, value: value)) }
        matched += 1
    }

    private func putOutOfOrder(_ value: EncodedTree, forKey key: String) {
        if own == nil, let names, names.has(key, at: values.count) { return values.append(value) }
        let object = detached()
        if let place = object.place(of: key, near: object.keys.count) {
            object.values[place] = value
        } else {
            object.append(value, forKey: key)
        }
    }

    func detached() -> ObjectNode {
        if let own { return own }
        let object = base.map { ObjectNode(first: matched, of: $0) } ?? ObjectNode(capacity: values.count)
        for (place, value) in values.enumerated() { object.append(value, forKey: names?.names[place] ?? "") }
        for change in changes { object.values[change.place] = change.value }
        own = object
        return object
    }

    func finish() -> EncodedLevel {
        if own == nil, let base, matched == base.keys.count { return unsafe .changed(base, changes) }
        if own == nil, let names, values.count == names.names.count { return unsafe .members(names, values) }
        return .fresh(.object(detached()))
    }
}

final class ArrayBuilder {
    let node: ArrayNode
    private let base: ArrayNode?

    init(base: ArrayNode?) {
        self.base = base
        node = ArrayNode()
        node.elements.reserveCapacity(base?.elements.count ?? 0)
    }

    /// The element of the array before at the place of the next one.
    var predecessor: EncodedTree? {
        guard let base, node.elements.count < base.elements.count else { return nil }
        return base.elements[node.elements.count]
    }

    func append(_ value: EncodedTree) {
        node.elements.append(value)
    }
}
