#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A typed value of the last written state, kept as it was, and the level below it once that was read.
///
/// A type's own `==` is never called: it may ignore parts that encode (entities that are equal by their id alone), and
/// treats `é` in two forms of Unicode as equal. Values whose bytes differ are compared by what they encode, level by
/// level.
///
/// The kept copy is what the next state is compared with, and what the old text is made from when it is needed. If the
/// type is not plain a kept copy proves nothing, so the level below is expanded as soon as the node is written, and is
/// never made again from the copy.
class ValueNode {
    let traits: TypeTraits
    /// The level below, if it is known.
    @safe @exclusivity(unchecked) final var expansion: EncodedTree?
    /// Which members are hidden as copies wherever the value is encoded again (``TypeRedactions/epoch``).
    @safe @exclusivity(unchecked) final var epoch = 0

    init(traits: TypeTraits) {
        self.traits = traits
    }

    /// Whether the kept copy has the bytes at a place, which holds a value of the same type.
    func holdsBytes(at other: Address) -> Bool {
        false
    }

    /// Whether the kept copy has the bytes of another node's, of the same type.
    func holdsBytes(of other: ValueNode) -> Bool { false }

    /// Encodes one level of the kept value, reusing parts of `base` that did not change.
    func encodeLevel(_ pass: EncodingPass, base: EncodedTree?) throws(StateEncodingError) -> EncodedLevel {
        preconditionFailure("'\(traits.name)' has no encoding")
    }

    /// A lower bound of the text's length, found without looking below.
    var leastLength: Int { 1 }

    func appendText(to bytes: inout [UInt8], _ pass: EncodingPass) throws(StateEncodingError) {
        try pass.append(shape(pass), to: &bytes)
    }

    /// How many elements or entries it has; nil for what is no collection.
    var partCount: Int? { nil }

    /// - Parameter older: a node of the same type of whose parts it does not; what is surely the same in it may be left out.
    func hasPart(since older: ValueNode?, _ pass: EncodingPass, where test: PartTest) throws(StateEncodingError) -> Bool
    {
        try test(shape(pass), older?.ownShape(pass))
    }

    /// A test of a part of a value, and of what was in its place before.
    typealias PartTest = (EncodedTree, EncodedTree?) throws(StateEncodingError) -> Bool

    func writeDifference(to newer: ValueNode, _ pass: EncodingPass) throws(StateEncodingError) {
        try pass.writeLevelDifference(from: self, to: newer)
    }

    /// The level below, as the value by itself says it.
    final func ownShape(_ pass: EncodingPass) throws(StateEncodingError) -> EncodedTree {
        try pass.lookingForFormer(false) { () throws(StateEncodingError) in try shape(pass) }
    }

    /// The level below; that of a plain value can be made again at any time, so it is not kept when it is read.
    final func shape(_ pass: EncodingPass) throws(StateEncodingError) -> EncodedTree {
        if let expansion { return expansion }
        let tree = try pass.asOf(epoch) { () throws(StateEncodingError) in try encodeLevel(pass, base: nil).whole }
        if !traits.isPlain || traits.leaf.map({ !$0.isCheap }) ?? false && pass.options.valueLimit != nil {
            expansion = tree
        }
        return tree
    }
}

class TypedNode<Value>: ValueNode {
    /// Never changed; a variable only so that its bytes can be read in place.
    @safe @exclusivity(unchecked) private(set) final var value: Value

    init(_ value: Value, traits: TypeTraits) {
        self.value = value
        super.init(traits: traits)
    }

    final func withValue<Result>(_ body: (Address) -> Result) -> Result {
        withAddress(ofVariable: &value, body)
    }

    override final func holdsBytes(at other: Address) -> Bool {
        withAddress(ofVariable: &value) { traits.layout.same($0, other) }
    }

    override final func holdsBytes(of other: ValueNode) -> Bool {
        guard type(of: other) == type(of: self) else { return false }
        // A node of this class holds a value of this type.
        let other = unsafe unsafeDowncast(other, to: TypedNode<Value>.self)
        return withAddress(ofVariable: &other.value) { holdsBytes(at: $0) }
    }
}

/// A value whose own `encode(to:)` writes what is below it.
final class EncodableNode<Value: Encodable>: TypedNode<Value> {
    override var leastLength: Int { (value as? Data)?.count ?? 1 }

    override func encodeLevel(_ pass: EncodingPass, base: EncodedTree?) throws(StateEncodingError) -> EncodedLevel {
        try pass.encodeLevel(of: value, traits: traits, base: base)
    }

    override func appendText(to bytes: inout [UInt8], _ pass: EncodingPass) throws(StateEncodingError) {
        guard traits.hasMembers, expansion == nil else { return try super.appendText(to: &bytes, pass) }
        try pass.appendLevel(of: value, traits, to: &bytes)
    }

    /// An enum that changes its case is one `replace`, whatever its cases look like in JSON.
    override func writeDifference(to newer: ValueNode, _ pass: EncodingPass) throws(StateEncodingError) {
        if traits.isEnumeration, let other = newer as? EncodableNode<Value>, !EnumCases.same(value, other.value) {
            return try pass.writeReplace(.value(self), by: .value(newer))
        }
        try pass.writeLevelDifference(from: self, to: newer)
    }
}
