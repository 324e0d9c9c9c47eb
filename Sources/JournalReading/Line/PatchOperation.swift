import JSONCore

/// One operation of a patch as it lies in the patch's text: its parts, with no value built.
///
/// Of a member that stands twice the last one counts, as for `JSONParser`.
public struct PatchOperation {
    /// What it does.
    public enum Name: UInt8, Sendable {
        /// The operations of RFC 6902.
        case add, remove, replace, move, copy, test
    }

    /// What it does; nil where it does not say, or says what RFC 6902 does not know.
    public private(set) var name: Name?
    /// The JSON Pointers' texts.
    public private(set) var path: LineString?
    /// Where a `move` or `copy` takes its value from; other operations have no business with it.
    public private(set) var from: LineString?
    /// The text of the value that is put there.
    public private(set) var value: UnsafeRawBufferPointer?
    /// The text of what was there before.
    public private(set) var old: UnsafeRawBufferPointer?

    /// Reads the operation at a scanner's place; nil where that is not an object, or a text of it is not a string.
    @inline(__always)
    init?(_ scanner: inout LineScanner) {
        var ahead = scanner
        if readWritten(&ahead) {
            scanner = ahead
            return
        }
        self = PatchOperation()
        guard scanner.take(0x7B) else { return nil }
        if scanner.take(0x7D) { return }
        repeat {
            guard let key = scanner.string(), scanner.take(0x3A) else { return nil }
            if key.equals("op") {
                guard let text = scanner.string() else { return nil }
                name = PatchOperation.name(text)
            } else if key.equals("path") {
                guard let text = scanner.string() else { return nil }
                path = text
            } else if key.equals("value") {
                guard let text = scanner.value() else { return nil }
                value = text
            } else if key.equals("old") {
                guard let text = scanner.value() else { return nil }
                old = text
            } else if key.equals("from") {
                // Any value, where no operation has business with it.
                if scanner.isNext(0x22) {
                    guard let text = scanner.string() else { return nil }
                    from = text
                } else {
                    guard scanner.skipValue() else { return nil }
                    from = nil
                }
            } else {
                guard scanner.skipValue() else { return nil }
            }
        } while scanner.take(0x2C)
        guard scanner.take(0x7D) else { return nil }
    }

    private init() {}

    // The lowest byte is the first one.
    // `{"op":"`
    private static let opening: UInt64 = 0x0022_3A22_706F_227B
    // `replace"`
    private static let replace: UInt64 = 0x2265_6361_6C70_6572
    // `add"`
    private static let add: UInt64 = 0x2264_6461
    // `remove"`
    private static let remove: UInt64 = 0x0022_6576_6F6D_6572
    // `,"path":`
    private static let pathMember: UInt64 = 0x3A22_6874_6170_222C
    // `,"value"`
    private static let valueMember: UInt64 = 0x2265_756C_6176_222C
    // `,"old":`
    private static let oldMember: UInt64 = 0x003A_2264_6C6F_222C

    /// Reads what the loop over the members reads of an operation as our writer puts it, whose fixed parts are compared a word
    /// at a time; false for any other form, and then what was read counts for nothing.
    @inline(__always)
    private mutating func readWritten(_ scanner: inout LineScanner) -> Bool {
        guard scanner.take(word: PatchOperation.opening, count: 7) else { return false }
        if scanner.take(word: PatchOperation.replace, count: 8) {
            name = .replace
        } else if scanner.take(word: PatchOperation.add, count: 4) {
            name = .add
        } else if scanner.take(word: PatchOperation.remove, count: 7) {
            name = .remove
        } else {
            return false
        }
        guard scanner.take(word: PatchOperation.pathMember, count: 8), let text = scanner.string() else { return false }
        path = text
        if name != .remove {
            guard scanner.take(word: PatchOperation.valueMember, count: 8), scanner.take(0x3A),
                let text = scanner.value()
            else { return false }
            value = text
        }
        if scanner.take(word: PatchOperation.oldMember, count: 7) {
            guard let text = scanner.value() else { return false }
            old = text
        }
        return scanner.take(0x7D)
    }

    @inline(__always)
    private static func name(_ text: LineString) -> Name? {
        if text.equals("replace") { return .replace }
        if text.equals("add") { return .add }
        if text.equals("remove") { return .remove }
        if text.equals("move") { return .move }
        if text.equals("copy") { return .copy }
        if text.equals("test") { return .test }
        return nil
    }

    /// Where a value is moved or copied from; other operations have no business with a `from`.
    @inline(__always)
    public var source: LineString? { name == .move || name == .copy ? from : nil }

    /// Whether it puts in or takes out: then it writes the whole array, if its place is an element of one.
    @inline(__always)
    public var isInserting: Bool { name != .replace }

    /// Whether it has what an operation of its name needs; a pointer of very many bytes is left to `JSONPatch`, which has a
    /// limit of segments.
    @inline(__always)
    public var isWhole: Bool {
        guard let path, let name, path.raw.count <= JSONPatch.pathDepthLimit else { return false }
        return switch name {
        case .add, .replace, .test: value != nil
        case .remove: true
        case .move, .copy: from.map { $0.raw.count <= JSONPatch.pathDepthLimit } ?? false
        }
    }

    /// Calls a closure with each pointer that it writes to, or takes from, until one is true: the place's text with its
    /// escapes undone, and whether the operation puts in or takes out there.
    ///
    /// - Returns: whether one was true; true also where a pointer cannot be read, or there is none.
    @inline(__always)
    public func anyPlace(_ isWanted: (UnsafeRawBufferPointer, Bool) -> Bool) -> Bool {
        guard let path else { return true }
        if path.withBytes({ isWanted($0, isInserting) }) ?? true { return true }
        guard let source else { return false }
        return source.withBytes { isWanted($0, true) } ?? true
    }
}

/// Walks over the operations of a patch that lies in a text: the one home of how a patch is written.
///
/// White space, the order of members, and escapes in their names are as good as the form of our writer.
///
/// ```swift
/// var walk = PatchWalk(patchText)
/// while let operation = walk.next() { … }
/// guard walk.isWhole else { … parse it strictly … }
/// ```
public struct PatchWalk {
    private var scanner: LineScanner
    private var state: State
    private enum State {
        case first, next, end
    }

    /// Whether the walk came to the array's closing bracket: known once ``next()`` gave nil.
    public private(set) var isWhole = false

    /// Begins a walk over a text that is one patch.
    @inline(__always)
    public init(_ patch: UnsafeRawBufferPointer) { self.init(LineScanner(patch)) }

    /// Begins a walk over the patch at a scanner's place.
    @inline(__always)
    init(_ scanner: LineScanner) {
        self.scanner = scanner
        state = self.scanner.take(0x5B) ? .first : .end
    }

    /// The next operation; nil at the end, and where the text is not an array of objects.
    ///
    /// - Complexity: O(the operation); nothing is allocated.
    @inline(__always)
    public mutating func next() -> PatchOperation? {
        if state == .end { return nil }
        if scanner.take(0x5D) {
            isWhole = true
            state = .end
            return nil
        }
        if state == .next, !scanner.take(0x2C) {
            state = .end
            return nil
        }
        state = .next
        guard let operation = PatchOperation(&scanner) else {
            state = .end
            return nil
        }
        return operation
    }

    /// Where the walk is: after the patch once it is whole.
    @inline(__always)
    var place: LineScanner { scanner }
}
