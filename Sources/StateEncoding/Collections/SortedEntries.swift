internal import JSONCore

/// The entries of a table as a JSON object has them: in ascending order of their keys' UTF-8, no two with one text.
///
/// Texts and values are apart, and only places are sorted: code that is generic over the values touches each of them
/// once.
struct SortedEntries<Value: Encodable> {
    private let texts: [String]
    private let values: [Value]
    /// The places of texts and values, ascending by text.
    private let places: [Int]
    private let epochs: TableEpochs

    /// - Parameter epochs: which members are hidden as copies in each value.
    /// - Throws: `StateEncodingError` if two keys have one text.
    init(
        _ texts: [String], _ values: [Value], of traits: TypeTraits, _ epochs: TableEpochs, _ pass: EncodingPass
    ) throws(StateEncodingError) {
        places = TextOrder.places(of: texts)
        for (place, next) in zip(places, places.dropFirst()) where UTF8Order.equal(texts[place], texts[next]) {
            throw pass.failure(.repeatedKey(texts[place]), traits.name)
        }
        self.texts = texts
        self.values = values
        self.epochs = epochs
    }

    /// The object one level deep; entries with equal bytes are taken over from the one before.
    func level(_ pass: EncodingPass, base: EncodedTree?) -> EncodedLevel {
        var before: ObjectNode?
        if case .object(let node)? = base { before = node }
        let object = ObjectNode(capacity: places.count)
        for place in places {
            let text = texts[place]
            let predecessor = before?.place(of: text, near: object.keys.count).flatMap { before?.values[$0] }
            object.append(pass.child(of: values[place], base: predecessor, asOf: epochs[text]), forKey: text)
        }
        return .fresh(.object(object))
    }

    func appendText(to bytes: inout [UInt8], _ pass: EncodingPass) throws(StateEncodingError) {
        let traits = pass.traits(of: Value.self)
        bytes.append(UInt8(ascii: "{"))
        for (index, place) in places.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            let text = texts[place]
            JSONText.append(string: text, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            try pass.at(.key(text)) { () throws(StateEncodingError) in
                try pass.asOf(epochs[text]) { () throws(StateEncodingError) in
                    try pass.appendText(of: values[place], traits, to: &bytes)
                }
            }
        }
        bytes.append(UInt8(ascii: "}"))
    }
}

/// Which members are hidden as copies in each value of a table (``TypeRedactions/epoch``).
struct TableEpochs {
    /// That of all values but those that were written later.
    let base: Int
    private var written: [UTF8Key: Int] = [:]

    init(_ base: Int) { self.base = base }

    subscript(text: String) -> Int { written.isEmpty ? base : written[UTF8Key(text)] ?? base }

    mutating func set(_ epoch: Int?, for text: String) {
        if written.isEmpty, epoch ?? base == base { return }
        written[UTF8Key(text)] = epoch == base ? nil : epoch
    }
}

/// The order of the names of a JSON object, ascending by their UTF-8.
///
/// Apart from what has the names: sorting that itself, in code that is generic over it, costs five times as much as
/// everything else that is done with it.
enum TextOrder {
    private struct Entry {
        /// The first eight bytes as a number, which differs for most texts.
        var start: UInt64
        var place: Int
    }

    /// The places of some texts, in ascending order of the texts; of equal ones the first comes first.
    ///
    /// - Complexity: O(*n* log *n*).
    static func places(of texts: [String]) -> [Int] {
        if texts.count < 2 { return Array(texts.indices) }
        var entries = texts.enumerated().map { Entry(start: start(of: $1), place: $0) }
        entries.sort { left, right in
            if left.start != right.start { return left.start < right.start }
            if UTF8Order.isLess(texts[left.place], texts[right.place]) { return true }
            return left.place < right.place && UTF8Order.equal(texts[left.place], texts[right.place])
        }
        return entries.map(\.place)
    }

    private static func start(of text: String) -> UInt64 {
        var start: UInt64 = 0
        var shift: UInt64 = 64
        for byte in text.utf8.prefix(8) {
            shift -= 8
            start |= UInt64(byte) << shift
        }
        return start
    }
}
