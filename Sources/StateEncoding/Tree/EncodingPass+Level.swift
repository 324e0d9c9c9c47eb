internal import JSONCore

enum EncodedLevel {
    /// The members of an earlier object, of which these are replaced.
    case changed(ObjectNode, [MemberChange])
    /// The members of a new object, with the names of an earlier one.
    case members(MemberNames, [EncodedTree])
    case fresh(EncodedTree)

    /// The level as a whole; of one encoded without a predecessor.
    var whole: EncodedTree {
        switch self {
        case .fresh(let tree): return tree
        case .members(let names, let values): return .object(ObjectNode(names, values))
        case .changed(let object, let changes):
            for change in changes { object.values[change.place] = change.value }
            return .object(object)
        }
    }
}

struct MemberChange {
    var place: Int
    var value: EncodedTree
}

extension EncodingPass {
    /// A value as a part of the tree: the part of the state before, if its bytes are equal, else a new one, not
    /// expanded yet.
    func child<Value: Encodable>(of value: Value, base: EncodedTree?) -> EncodedTree {
        if case .value(let node)? = base, node.traits.identifier == ObjectIdentifier(Value.self) {
            if node.traits.isPlain, withAddress(of: value, { node.holdsBytes(at: $0) }), let base { return base }
            return .value(makeNode(value, node.traits))
        }
        let traits = traits(of: Value.self)
        if let leaf = traits.leaf, leaf.isCheap, let scalar = traits.scalar(of: value) { return .scalar(scalar) }
        return .value(makeNode(value, traits))
    }

    /// A value as a part of the tree that hides the members which were hidden at an epoch.
    func child<Value: Encodable>(of value: Value, base: EncodedTree? = nil, asOf epoch: Int) -> EncodedTree {
        if epoch == self.epoch { return child(of: value, base: base) }
        let tree = child(of: value, base: base)
        if case .value(let node) = tree, base.map({ !EncodedTree.identical($0, tree) }) ?? true { node.epoch = epoch }
        return tree
    }

    private func makeNode<Value: Encodable>(_ value: Value, _ traits: TypeTraits) -> ValueNode {
        let node = traits.makeNode(value)
        node.epoch = epoch
        return node
    }

    func encodeLevel<Value: Encodable>(
        of value: Value, traits: TypeTraits, base: EncodedTree?
    ) throws(StateEncodingError) -> EncodedLevel {
        if let limit = options.valueLimit, let omitted = limit.omitted(value) { return .fresh(.scalar(omitted)) }
        if let scalar = traits.scalar(of: value) { return .fresh(.scalar(scalar)) }
        if traits.isReference { throw failure(.reference, traits.name) }
        let level = try encodeOnce(value, traits, base: base)
        if options.checksSteadiness, traits.isPlain, base == nil, traits.takeProbe() {
            let again = try encodeOnce(value, traits, base: nil)
            if !(try isSame(level.whole, again.whole)) { recordUnsteady(traits) }
        }
        return level
    }

    /// The parts of the value are compared by their bytes: the values of their types are encoded twice, too.
    private func isSame(_ first: EncodedTree, _ second: EncodedTree) throws(StateEncodingError) -> Bool {
        if isKnown(first, as: second) { return true }
        switch (first, second) {
        case (.object(let left), .object(let right)) where left.keys.elementsEqual(right.keys, by: UTF8Order.equal):
            for place in left.keys.indices where !(try isSame(left.values[place], right.values[place])) { return false }
            return true
        case (.array(let left), .array(let right)) where left.elements.count == right.elements.count:
            for place in left.elements.indices where !(try isSame(left.elements[place], right.elements[place])) {
                return false
            }
            return true
        default:
            var (before, after): ([UInt8], [UInt8]) = ([], [])
            try appendClear(first, to: &before)
            try appendClear(second, to: &after)
            return before == after
        }
    }

    /// Whether a part of the tree is one that is known, or a value with the same bytes.
    func isKnown(_ tree: EncodedTree, as known: EncodedTree) -> Bool {
        if case .value(let node) = tree, case .value(let other) = known {
            return node === other
                || node.traits === other.traits && node.traits.isPlain && node.holdsBytes(of: other)
        }
        return EncodedTree.identical(tree, known)
    }

    private func encodeOnce<Value: Encodable>(
        _ value: Value, _ traits: TypeTraits, base: EncodedTree?
    ) throws(StateEncodingError) -> EncodedLevel {
        let encoder = LevelEncoder.begin(
            traits.takeEncoder(), self, base: base, names: traits.memberNames, knownKeys: traits.knownKeys)
        defer { traits.encoder = encoder.end() }
        do {
            try value.encode(to: encoder)
        } catch let error as StateEncodingError {
            throw error
        } catch let error as EncodingError {
            throw failure(.refused(words(of: error)), traits.name)
        } catch {
            throw failure(.refused("its 'encode(to:)' threw '\(type(of: error))'"), traits.name)
        }
        var level = encoder.finish()
        if let reason = encoder.problem { throw failure(reason, traits.name) }
        if case .fresh(.object(let object)) = level { traits.learnMembers(object) }
        if !encoder.keyTypes.isEmpty {
            level = try hidingOthers(of: Value.self, keys: encoder.keyTypes, in: level)
            traits.learnKeys(encoder.keyTypes.filter { types?.rule(ofKeys: $0, notOf: Value.self) == nil })
        }
        if !traits.cases.isEmpty { level = try hidingCases(traits, of: value, in: level) }
        guard let rule = traits.rule else { return level }
        return try hiding(rule, of: value, in: level, traits, base: base)
    }

    private func words(of error: EncodingError) -> String {
        switch error {
        case .invalidValue(_, let context): context.debugDescription
        @unknown default: "its 'encode(to:)' threw 'EncodingError'"
        }
    }

    func append(_ tree: EncodedTree, to bytes: inout [UInt8]) throws(StateEncodingError) {
        if let redaction, redaction.isRedacted, !tree.isWritten {
            return try appendRedacted(tree, to: &bytes)
        }
        if byteLimit < .max { try checkLength(bytes.count + tree.leastLength) }
        switch tree {
        case .scalar(let scalar): append(scalar, to: &bytes)
        case .object(let object): try append(object, to: &bytes)
        case .array(let array): try append(array, to: &bytes)
        case .value(let node):
            try nested(node.traits) { () throws(StateEncodingError) in
                try asOf(node.epoch) { () throws(StateEncodingError) in try node.appendText(to: &bytes, self) }
            }
        }
    }

    private func append(_ object: ObjectNode, to bytes: inout [UInt8]) throws(StateEncodingError) {
        if isCollecting, let hidden = object.hidden { collect(hidden) }
        bytes.append(UInt8(ascii: "{"))
        for place in object.keys.indices {
            let key = object.keys[place]
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONText.append(string: key, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            try at(.key(key)) { () throws(StateEncodingError) in try append(object.values[place], to: &bytes) }
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private func append(_ array: ArrayNode, to bytes: inout [UInt8]) throws(StateEncodingError) {
        bytes.append(UInt8(ascii: "["))
        for place in array.elements.indices {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            try at(.index(place)) { () throws(StateEncodingError) in try append(array.elements[place], to: &bytes) }
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// - Parameter traits: those of the type, which are looked up once for many values.
    func appendText<Value: Encodable>(
        of value: Value, _ traits: TypeTraits, to bytes: inout [UInt8]
    ) throws(StateEncodingError) {
        guard traits.hasMembers, redaction == nil, byteLimit == .max else {
            return try append(child(of: value, base: nil), to: &bytes)
        }
        try nested(traits) { () throws(StateEncodingError) in try appendLevel(of: value, traits, to: &bytes) }
    }

    func text(of tree: EncodedTree) throws(StateEncodingError) -> [UInt8] {
        var bytes: [UInt8] = []
        try append(tree, to: &bytes)
        return bytes
    }
}
