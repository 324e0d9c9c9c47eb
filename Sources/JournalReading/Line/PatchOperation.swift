package import JSONCore

/// One operation of a patch as it lies in a line: its parts, with no value built.
///
/// Of a member that stands twice the last one counts, as for `JSONParser`.
package struct PatchOperation {
    package enum Name: UInt8, Sendable {
        /// The operations of RFC 6902.
        case add, remove, replace, move, copy, test
    }

    /// What it does; nil where it does not say, or says what RFC 6902 does not know.
    package private(set) var name: Name?
    private let token: JSONToken
    private var pathPlace: UInt32 = 0
    private var fromPlace: UInt32 = 0
    private var valuePlace: UInt32 = 0
    private var oldPlace: UInt32 = 0

    package var path: JSONToken? { part(pathPlace) }
    /// Where a `move` or `copy` takes its value from; ignored by other operations.
    package var from: JSONToken? { part(fromPlace) }
    package var value: JSONToken? { part(valuePlace) }
    package var old: JSONToken? { part(oldPlace) }

    @inline(__always)
    private func part(_ place: UInt32) -> JSONToken? { place > 0 ? token.token(at: Int(place)) : nil }

    @inline(__always)
    private static func place(_ value: JSONToken) -> UInt32 { UInt32(truncatingIfNeeded: value.place) }

    /// Reads an operation; nil where the value is not an object.
    @inline(__always)
    package init?(_ token: JSONToken) {
        guard token.kind == .object else { return nil }
        self.token = token
        for (name, value) in token.members {
            // The bytes of each name, the first one lowest.
            switch name.word {
            // `op`
            case (0x706F, 2): self.name = value.kind == .string ? PatchOperation.name(value) : nil
            // `path`
            case (0x6874_6170, 4): pathPlace = value.kind == .string ? PatchOperation.place(value) : 0
            // `value`
            case (0x65_756C_6176, 5): valuePlace = PatchOperation.place(value)
            // `old`
            case (0x64_6C6F, 3): oldPlace = PatchOperation.place(value)
            // `from`
            case (0x6D6F_7266, 4): fromPlace = value.kind == .string ? PatchOperation.place(value) : 0
            default: break
            }
        }
    }

    @inline(__always)
    private static func name(_ text: JSONToken) -> Name? {
        switch text.word {
        // `replace`, `add`, `remove`, `move`, `copy`, `test`
        case (0x65_6361_6C70_6572, 7): .replace
        case (0x64_6461, 3): .add
        case (0x6576_6F6D_6572, 6): .remove
        case (0x6576_6F6D, 4): .move
        case (0x7970_6F63, 4): .copy
        case (0x7473_6574, 4): .test
        default: nil
        }
    }

    /// Where a value is moved or copied from; nil for other operations.
    @inline(__always)
    package var source: JSONToken? { name == .move || name == .copy ? from : nil }

    /// Whether it puts in or takes out: then it writes the whole array, if its place is an element of one.
    @inline(__always)
    package var isInserting: Bool { name != .replace }

    /// Whether it has what an operation of its name needs.
    @inline(__always)
    package var isWhole: Bool {
        guard let path, let name, path.isShallow else { return false }
        return switch name {
        case .add, .replace, .test: value != nil
        case .remove: true
        case .move, .copy: from?.isShallow ?? false
        }
    }

    /// Calls a closure with each pointer that it writes to, or takes from, until one is true: the place's text with its
    /// escapes undone, and whether the operation puts in or takes out there.
    ///
    /// - Returns: whether one was true; true also where it has none.
    @inline(__always)
    package func anyPlace(_ isWanted: (ByteView, Bool) -> Bool) -> Bool {
        guard let path else { return true }
        if path.withBytes({ isWanted($0, isInserting) }) { return true }
        guard let source else { return false }
        return source.withBytes { isWanted($0, true) }
    }
}

extension JSONToken {
    /// Whether a pointer has no more segments than a patch may have: mostly it has no more bytes.
    @inline(__always)
    fileprivate var isShallow: Bool { raw.count <= JSONPatch.pathDepthLimit || hasFewSegments }

    @inline(never)
    private var hasFewSegments: Bool {
        (string.flatMap { try? JSONPointer(parsing: $0) }?.segments.count).map { $0 <= JSONPatch.pathDepthLimit }
            ?? false
    }
}
