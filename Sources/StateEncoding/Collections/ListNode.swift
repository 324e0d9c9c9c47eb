internal import JSONCore

/// An array, compared as one buffer: only the elements themselves are kept.
final class ListNode<List: RandomAccessCollection & Encodable>: TypedNode<List>
where List.Element: Encodable, List.Index == Int {
    /// That of each element, where one was written at another epoch than the list.
    private var epochs: [Int]?

    override var leastLength: Int { value.count &* 2 }
    override var partCount: Int? { value.count }

    override func encodeLevel(_ pass: EncodingPass, base: EncodedTree?) throws(StateEncodingError) -> EncodedLevel {
        var before: ArrayNode?
        if case .array(let node)? = base { before = node }
        let node = ArrayNode()
        node.elements.reserveCapacity(value.count)
        for (place, element) in value.enumerated() {
            let predecessor = before.flatMap { place < $0.elements.count ? $0.elements[place] : nil }
            node.elements.append(pass.child(of: element, base: predecessor, asOf: epochs?[place] ?? epoch))
        }
        return .fresh(.array(node))
    }

    override func appendText(to bytes: inout [UInt8], _ pass: EncodingPass) throws(StateEncodingError) {
        guard traits.isPlain else { return try super.appendText(to: &bytes, pass) }
        let elementTraits = pass.traits(of: List.Element.self)
        bytes.append(UInt8(ascii: "["))
        for place in 0..<value.count {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            try pass.at(.index(place)) { () throws(StateEncodingError) in
                try pass.asOf(epochs?[place] ?? epoch) { () throws(StateEncodingError) in
                    try pass.appendText(of: value[value.startIndex + place], elementTraits, to: &bytes)
                }
            }
        }
        bytes.append(UInt8(ascii: "]"))
    }

    override func writeDifference(to newer: ValueNode, _ pass: EncodingPass) throws(StateEncodingError) {
        guard traits.isPlain, let newer = newer as? ListNode<List> else {
            return try pass.writeLevelDifference(from: self, to: newer)
        }
        let epochs = ListEpochs(epoch, self.epochs)
        try withElements(of: newer) { (old, new) throws(StateEncodingError) in
            let steps = try pass.writeListDifference(ValueListPair(old, new, epochs, pass))
            newer.epoch = epoch
            newer.epochs = epochs.newer(steps, count: old.count)
        }
    }

    override func hasPart(
        since older: ValueNode?, _ pass: EncodingPass, where test: PartTest
    ) throws(StateEncodingError) -> Bool {
        guard traits.isPlain else { return try super.hasPart(since: older, pass, where: test) }
        var places = 0..<value.count
        if let older = older as? ListNode<List> {
            try older.withElements(of: self) { (old, new) throws(StateEncodingError) in
                let (prefix, suffix) = ValueListPair(old, new, ListEpochs(epoch, nil), pass).commonEnds()
                places = prefix..<(new.count - suffix)
            }
        }
        for place in places {
            let element = value[value.startIndex + place]
            if try test(pass.child(of: element, base: nil, asOf: epochs?[place] ?? epoch), nil) { return true }
        }
        return false
    }
}

extension ListNode {
    private func withElements(
        of newer: ListNode<List>,
        _ body: (BorrowedElements<List.Element>, BorrowedElements<List.Element>) throws(StateEncodingError) -> Void
    ) throws(StateEncodingError) {
        try Array(value).withBorrowedElements { (old) throws(StateEncodingError) in
            try Array(newer.value).withBorrowedElements { (new) throws(StateEncodingError) in try body(old, new) }
        }
    }
}

extension Array: NodeProviding where Element: Encodable {
    static func makeNode(_ value: [Element], traits: TypeTraits) -> ValueNode {
        ListNode(value, traits: traits)
    }
}

extension ContiguousArray: NodeProviding where Element: Encodable {
    static func makeNode(_ value: ContiguousArray<Element>, traits: TypeTraits) -> ValueNode {
        ListNode(value, traits: traits)
    }
}
