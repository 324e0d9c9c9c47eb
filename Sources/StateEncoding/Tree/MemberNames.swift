internal import JSONCore

/// The names of the members that values of one type encode, in their order, as far as they are alike.
///
/// Most types encode the same members each time. Their names are kept once, with the text that they make, and a value
/// of such a type is a list of its members' values.
final class MemberNames {
    /// Objects with more members are looked up by hash, and rarely have the same ones twice.
    private static let limit = 64

    let names: [String]
    /// The texts before the values, one after the other: `{"id":`, `,"name":`.
    private let openings: [UInt8]
    private let ends: [Int]

    init?(_ object: ObjectNode) {
        guard !object.keys.isEmpty, object.keys.count <= MemberNames.limit else { return nil }
        names = object.keys
        var openings: [UInt8] = []
        var ends: [Int] = []
        for name in names {
            openings.append(openings.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
            JSONText.append(string: name, to: &openings)
            openings.append(UInt8(ascii: ":"))
            ends.append(openings.count)
        }
        self.openings = openings
        self.ends = ends
    }

    @inline(__always)
    func has(_ name: String, at place: Int) -> Bool { place < names.count && RawBytes.same(names[place], name) }

    @inline(__always)
    func appendOpening(_ place: Int, to bytes: inout [UInt8]) {
        let start = place == 0 ? 0 : ends[place - 1]
        openings.withBytes { bytes.append(contentsOf: $0.extracting(start..<ends[place])) }
    }
}

extension EncodingPass {
    /// Writes the operations that turn one value into another of its type, where no copy of either is kept.
    func writeDifference<Value: Encodable>(of old: Value, at epoch: Int, to new: Value) throws(StateEncodingError) {
        let traits = traits(of: Value.self)
        guard traits.hasMembers, traits.rule == nil, redaction.map({ !$0.isRedacted }) ?? true else {
            let before = try asOf(epoch) { () throws(StateEncodingError) in child(of: old, base: nil) }
            return try writeDifference(from: before, to: child(of: new, base: nil))
        }
        try nested(traits) { () throws(StateEncodingError) in
            let before = try asOf(epoch) { () throws(StateEncodingError) in
                try encodeLevel(of: old, traits: traits, base: nil)
            }
            let after = try encodeLevel(of: new, traits: traits, base: nil)
            guard case .members(let names, let left) = before, case .members(let others, let right) = after,
                names === others
            else { return try writeDifference(from: before.whole, to: after.whole) }
            for place in left.indices where !EncodedTree.identical(left[place], right[place]) {
                try at(.key(names.names[place])) { () throws(StateEncodingError) in
                    try writeDifference(from: left[place], to: right[place])
                }
            }
        }
    }

    func appendLevel<Value: Encodable>(
        of value: Value, _ traits: TypeTraits, to bytes: inout [UInt8]
    ) throws(StateEncodingError) {
        switch try encodeLevel(of: value, traits: traits, base: nil) {
        case .members(let names, let values): try append(values, names, to: &bytes)
        case let level: try append(level.whole, to: &bytes)
        }
    }

    private func append(
        _ values: [EncodedTree], _ names: MemberNames, to bytes: inout [UInt8]
    ) throws(StateEncodingError) {
        for place in values.indices {
            names.appendOpening(place, to: &bytes)
            if case .scalar(let scalar) = values[place], redaction == nil, byteLimit == .max {
                append(scalar, to: &bytes)
            } else {
                try at(.key(names.names[place])) { () throws(StateEncodingError) in
                    try append(values[place], to: &bytes)
                }
            }
        }
        bytes.append(UInt8(ascii: "}"))
    }
}
