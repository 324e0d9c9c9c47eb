import JSONCore
package import JournalFormat

/// What a commit's line says, member by member, with no value built: for passes that go over every commit.
///
/// It exists only for a line from which ``CommitRecord`` can be decoded, but for `at`, which the reader of it checks; a line
/// that is written in another form, or has escapes in its names and paths, is decoded instead.
package struct CommitText {
    /// The store's name, between its quotes.
    package let store: UnsafeRawBufferPointer
    /// When it was made.
    package let time: Timestamp
    /// Where it was made: a value's text.
    package let at: UnsafeRawBufferPointer
    /// What it changed: a value's text.
    package let patch: UnsafeRawBufferPointer
    /// The patch's operations, each of them whole.
    package internal(set) var operations: ArraySlice<PatchOperation>

    /// Finds a commit's members; nil if the line has to be decoded.
    package init?(_ line: ProvenLine) {
        var operations: [PatchOperation] = []
        self.init(line, adding: &operations)
    }

    /// Finds a commit's members like ``init(_:)``, but appends the operations to an array that many lines share.
    init?(_ line: ProvenLine, adding operations: inout [PatchOperation]) {
        let start = operations.count
        guard let store = line["store"]?.plainString, line["version"]?.plainNumber != nil,
            let moment = line["time"]?.plainString, let time = Timestamp(bytes: moment), let at = line["at"],
            CommitText.isText(line["name"]), CommitText.isText(line["thread"]), CommitText.isAction(line["action"]),
            CommitText.isNumber(line["cause"]), CommitText.isNumber(line["undoes"]), let patch = line["patch"],
            CommitText.add(patch, to: &operations)
        else { return nil }
        self.store = store
        self.time = time
        self.at = at
        self.patch = patch
        self.operations = operations[start...]
    }

    /// Adds a patch's operations, where `JSONPatch` takes each of them.
    private static func add(_ patch: UnsafeRawBufferPointer, to operations: inout [PatchOperation]) -> Bool {
        var walk = PatchWalk(patch)
        while let operation = walk.next() {
            guard operation.isWhole, isPointer(operation.path), isPointer(operation.source) else { return false }
            operations.append(operation)
        }
        return walk.isWhole
    }

    /// Whether a text, if there is one, is a JSON Pointer without escapes of JSON.
    private static func isPointer(_ text: LineString?) -> Bool {
        guard let text else { return true }
        guard !text.isEscaped else { return false }
        guard let first = text.raw.first else { return true }
        guard first == UInt8(ascii: "/") else { return false }
        for (index, byte) in text.raw.enumerated() where byte == UInt8(ascii: "~") {
            guard index + 1 < text.raw.count, text.raw[index + 1] | 1 == UInt8(ascii: "1") else { return false }
        }
        return true
    }

    private static func isText(_ value: UnsafeRawBufferPointer?) -> Bool {
        guard let value else { return true }
        return value.first == UInt8(ascii: "\"") || value.equals("null")
    }

    private static func isNumber(_ value: UnsafeRawBufferPointer?) -> Bool {
        guard let value else { return true }
        return value.plainNumber != nil || value.equals("null")
    }

    /// Whether it is an object whose first member is `type`, as our writer puts it, and a string.
    private static func isAction(_ value: UnsafeRawBufferPointer?) -> Bool {
        guard let value, !value.equals("null") else { return true }
        var walk = MemberWalk(value, from: 0)
        guard let name = walk.next(), name.equals("type") else { return false }
        return walk.scanner.isNext(UInt8(ascii: "\""))
    }
}

extension SourceLocation {
    /// Decodes a member `at` from its text; nil if it is not a location.
    package init?(text: UnsafeRawBufferPointer) {
        guard let value = try? JSONParser.parse(text),
            let location = try? RecordMembers(object: ["at": value]).location()
        else { return nil }
        self = location
    }
}
