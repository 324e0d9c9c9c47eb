import CommandLine
import JSONCore
import Platform

/// Two files of one JSON value each, which are no journals: `diff` compares them as it does two states.
struct PlainTexts {
    let names: (left: String, right: String)
    let left: JSONValue
    let right: JSONValue

    /// No longer file is held in memory.
    private static let limit = 1 << 28

    /// Reads two files; nil where one of them is a journal, or anything else than one JSON value.
    init?(_ left: String, _ right: String) throws {
        guard let first = Self.value(left), let second = Self.value(right) else { return nil }
        (names, self.left, self.right) = ((left, right), first, second)
    }

    private static func value(_ path: String) -> JSONValue? {
        guard !JournalFiles.isReadOnce(path), let file = try? InputFile(path: path, code: "diff.text") else {
            return nil
        }
        var bytes: [UInt8] = []
        var isLooked = false
        while let goesOn = try? file.read(into: &bytes), goesOn {
            guard bytes.count <= limit else { return nil }
            // The first line of a journal says so; a packed one begins with no JSON.
            if !isLooked, isJournal(bytes) { return nil }
            isLooked = true
        }
        return (try? JSONParser.parse(bytes))?.ascending()
    }

    private static func isJournal(_ bytes: [UInt8]) -> Bool {
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        guard line.count < bytes.count, case .object(let members)? = try? JSONParser.parse(Array(line)) else {
            return false
        }
        return members["kind"] == .string("journal")
    }
}
