import JSONCore

/// What a commit's line says, told apart without building a value: for passes that go over every commit.
///
/// It is there only for a line from which ``CommitRecord`` can be decoded, but for `at`, which whoever reads it checks; a line
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
    package let operations: [OperationText]

    /// Tells a commit's members apart; nil where the line is to be decoded.
    package init?(_ line: CompactLine) {
        guard let store = line["store"]?.plainString, line["version"]?.plainNumber != nil,
            let moment = line["time"]?.plainString, let time = Timestamp(bytes: moment), let at = line["at"],
            CommitText.isText(line["name"]), CommitText.isText(line["thread"]), CommitText.isAction(line["action"]),
            CommitText.isNumber(line["cause"]), let patch = line["patch"],
            let operations = OperationText.all(in: patch), operations.allSatisfy(\.isWhole)
        else { return nil }
        self.store = store
        self.time = time
        self.at = at
        self.patch = patch
        self.operations = operations
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
        guard var scanner = LineScanner(value, at: 0), scanner.take(UInt8(ascii: "{")),
            let name = scanner.plainString(), name.equals("type")
        else { return false }
        return scanner.take(UInt8(ascii: ":")) && scanner.byte == UInt8(ascii: "\"")
    }
}

extension SourceLocation {
    /// Decodes a member `at` from its text; nil where it is no location.
    package init?(text: UnsafeRawBufferPointer) {
        guard let value = try? JSONParser.parse(text),
            let location = try? RecordMembers(object: ["at": value]).location()
        else { return nil }
        self = location
    }
}
