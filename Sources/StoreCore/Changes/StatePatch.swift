internal import JSONCore

/// What one commit changed, property by property: a JSON Patch (RFC 6902), as it stands in the journal.
///
/// `remove` and `replace` carry the member `old`, what was there before.
public struct StatePatch: Sendable, Hashable {
    /// One change of one place.
    public struct Operation: Sendable, Hashable {
        /// What is done there (RFC 6902 §4).
        public enum Kind: String, Sendable, Hashable {
            case add, remove, replace, move
        }

        /// What is done.
        public let kind: Kind
        /// Where, as a JSON Pointer (RFC 6901) into the state: `/items/0/name`.
        public let path: String
        /// Where a `move` takes its value from.
        public let from: String?
        /// The new value of an `add` or `replace`, as JSON text.
        public let value: String?
        /// What was there before a `remove` or `replace`, as JSON text.
        public let old: String?
    }

    private let bytes: [UInt8]

    /// - Parameter bytes: a JSON array of operations that the encoder wrote.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The patch as one line of JSON; `[]` where nothing changed.
    public var json: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether nothing changed.
    public var isEmpty: Bool { bytes.count <= 2 }

    /// The operations, in the order in which they apply.
    ///
    /// - Complexity: O(the patch's text).
    public var operations: [Operation] {
        do {
            return try JSONPatch(json: JSONParser.parse(bytes)).operations.compactMap(Operation.init)
        } catch {
            preconditionFailure("the encoder wrote an invalid patch: \(json)")
        }
    }
}

extension StatePatch: CustomStringConvertible {
    /// The patch as JSON.
    public var description: String { json }
}

extension StatePatch.Operation {
    /// An operation of the encoder's, which writes no others.
    fileprivate init?(_ operation: JSONPatch.Operation) {
        path = operation.path.text
        from = operation.from?.text
        switch operation {
        case .add(_, let new): (kind, value, old) = (.add, new.text(), nil)
        case .remove(_, let before): (kind, value, old) = (.remove, nil, before?.text())
        case .replace(_, let new, let before): (kind, value, old) = (.replace, new.text(), before?.text())
        case .move: (kind, value, old) = (.move, nil, nil)
        case .copy, .test: return nil
        }
    }
}
