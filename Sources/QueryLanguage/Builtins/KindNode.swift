internal import JSONCore

/// `arrays`, `scalars`, …: the input if it is of one of these kinds.
final class KindNode: Node {
    let kinds: ValueKinds

    init(_ kinds: ValueKinds) { self.kinds = kinds }

    override var traits: NodeTraits { [.plain, .navigation] }
    override var inferredCardinality: Cardinality { .optional }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        kinds.contains(ValueKinds(of: input)) ? input : nil
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        kinds.contains(ValueKinds(of: at.value)) ? try sink(at) : .more
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.touch(input)
        return input
    }
}

/// A set of the kinds that values are of.
struct ValueKinds: OptionSet {
    let rawValue: UInt8

    static let null = ValueKinds(rawValue: 1)
    static let boolean = ValueKinds(rawValue: 2)
    static let number = ValueKinds(rawValue: 4)
    static let string = ValueKinds(rawValue: 8)
    static let array = ValueKinds(rawValue: 16)
    static let object = ValueKinds(rawValue: 32)

    static let iterable: ValueKinds = [.array, .object]
    static let scalar: ValueKinds = [.null, .boolean, .number, .string]
    static let value: ValueKinds = [.boolean, .number, .string, .array, .object]
}

extension ValueKinds {
    /// The kind of a value.
    @inline(__always)
    init(of value: JSONValue) {
        self =
            switch value {
            case .null: .null
            case .bool: .boolean
            case .number: .number
            case .string: .string
            case .array: .array
            case .object: .object
            }
    }
}
