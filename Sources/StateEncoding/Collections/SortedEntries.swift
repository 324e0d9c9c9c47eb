internal import JSONCore

/// The entries of a table as a JSON object has them: in ascending order of their keys' UTF-8, no two with one text.
///
/// Texts and values lie apart, and only places are sorted: what is generic over the values touches each of them once.
struct SortedEntries<Value: Encodable> {
    private let texts: [String]
    private let values: [Value]
    /// The places of texts and values, ascending by text.
    private let places: [Int]

    /// Sorts entries.
    ///
    /// - Parameters:
    ///   - texts: their keys' texts.
    ///   - values: what belongs to each of them.
    ///   - traits: those of the table, for the message.
    /// - Throws: `StateEncodingError` where two keys have one text.
    init(
        _ texts: [String], _ values: [Value], of traits: TypeTraits, _ pass: EncodingPass
    ) throws(StateEncodingError) {
        places = TextOrder.places(of: texts)
        for (place, next) in zip(places, places.dropFirst()) where UTF8Order.equal(texts[place], texts[next]) {
            throw pass.failure(.repeatedKey(texts[place]), traits.name)
        }
        self.texts = texts
        self.values = values
    }

    /// The object one level deep; entries that are the same by their bytes are taken over from the one before.
    func level(_ pass: EncodingPass, base: EncodedTree?) -> EncodedLevel {
        var before: ObjectNode?
        if case .object(let node)? = base { before = node }
        let object = ObjectNode(capacity: places.count)
        for place in places {
            let text = texts[place]
            let predecessor = before?.place(of: text, near: object.keys.count).flatMap { before?.values[$0] }
            object.append(pass.child(of: values[place], base: predecessor), forKey: text)
        }
        return .fresh(.object(object))
    }

    /// Appends the object's text, whole.
    func appendText(to bytes: inout [UInt8], _ pass: EncodingPass) throws(StateEncodingError) {
        bytes.append(UInt8(ascii: "{"))
        for (index, place) in places.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            let text = texts[place]
            JSONText.append(string: text, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            try pass.at(.key(text)) { () throws(StateEncodingError) in
                try pass.appendText(of: values[place], to: &bytes)
            }
        }
        bytes.append(UInt8(ascii: "}"))
    }
}
