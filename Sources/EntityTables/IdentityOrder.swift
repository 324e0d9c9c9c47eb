internal import JSONCore
internal import StateEncoding

/// The order of identities where nothing else gives one: the same in each process, which that of a hash table is not.
enum IdentityOrder {
    /// Some values in ascending order of their identities: by `<` where they have it, otherwise by their texts as keys of an
    /// object.
    static func sorted<Value, ID: Hashable & Encodable>(_ values: [Value], by id: (Value) -> ID) -> [Value] {
        if values.count < 2 { return values }
        let texts = KeyTexts<ID>()
        var keyed = values.map { (id: id($0), text: texts.text(of: id($0)), value: $0) }
        keyed.sort { UTF8Order.isLess($0.text, $1.text) }
        // The sort is stable, so identities that are neither before nor after each other stay in the order of their texts.
        if let comparable = ID.self as? any Comparable.Type {
            let isLess = comparison(of: comparable, for: ID.self)
            keyed.sort { isLess($0.id, $1.id) }
        }
        return keyed.map(\.value)
    }

    private static func comparison<Key: Comparable, ID>(_ type: Key.Type, for id: ID.Type) -> (ID, ID) -> Bool {
        { unsafeBitCast($0, to: Key.self) < unsafeBitCast($1, to: Key.self) }
    }

    private static func comparison<ID>(of type: any Comparable.Type, for id: ID.Type) -> (ID, ID) -> Bool {
        func open<Key: Comparable>(_ type: Key.Type) -> (ID, ID) -> Bool { comparison(type, for: id) }
        return open(type)
    }
}
