import JSONCore
public import JournalFormat

/// Looks for texts that must not be in a journal: in every string, every name of a member and every number of every record,
/// escapes undone, and in the bytes of every line as they are.
public struct SecretSearch: Sendable {
    /// A place where one was found.
    public struct Finding: Sendable, Equatable {
        /// The record's line in the journal that was searched, counted from 1.
        public let line: Int
        /// The record's number.
        public let seq: CommitNumber
        /// What kind of record it is.
        public let kind: RecordKind
        /// Where in the record, a JSON Pointer; empty where only the bytes of the line hold it.
        public let path: String
        /// Which of the texts it is, by its place in the list.
        public let secret: Int
    }

    /// Each secret as it is, and as it would stand in a JSON Pointer.
    private let secrets: [[[UInt8]]]

    /// A search for texts; empty ones are not looked for.
    public init(_ secrets: [String]) {
        self.secrets = secrets.map { text in
            let escaped = String(JSONPointer([text]).text.dropFirst())
            return (text == escaped ? [text] : [text, escaped]).map { Array($0.utf8) }.filter { !$0.isEmpty }
        }
    }

    /// Searches the lines of a portion of a journal.
    ///
    /// - Parameters:
    ///   - bytes: whole lines.
    ///   - firstLine: the number of the first of them.
    /// - Returns: how many lines there are.
    public func search(_ bytes: [UInt8], firstLine: Int, found: (Finding) -> Void) -> Int {
        var count = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true) {
            search(Array(line), number: firstLine + count, found)
            count += 1
        }
        return count
    }

    private func search(_ line: [UInt8], number: Int, _ found: (Finding) -> Void) {
        guard case .object(let object)? = try? JSONParser.parse(line) else { return }
        let seq = CommitNumber(object["seq"]?.number?.integerValue ?? 0)
        let kind = Array((object["kind"]?.string ?? "").utf8).withUnsafeBytes { RecordKind(name: $0) }
        for (index, secret) in secrets.enumerated() {
            var places: [String] = []
            var path: [String] = []
            SecretSearch.collect(.object(object), secret, &path, into: &places)
            if places.isEmpty, SecretSearch.contains(line, secret) { places = [""] }
            for place in places {
                found(Finding(line: number, seq: seq, kind: kind, path: place, secret: index))
            }
        }
    }

    private static func collect(
        _ value: JSONValue, _ secret: [[UInt8]], _ path: inout [String], into places: inout [String]
    ) {
        switch value {
        case .string(let text):
            if contains(Array(text.utf8), secret) { places.append(JSONPointer(path).text) }
        case .number(let number):
            if contains(Array(number.text.utf8), secret) { places.append(JSONPointer(path).text) }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                path.append(String(index))
                collect(element, secret, &path, into: &places)
                path.removeLast()
            }
        case .object(let members):
            for (name, member) in members {
                path.append(name)
                if contains(Array(name.utf8), secret) { places.append(JSONPointer(path).text) }
                collect(member, secret, &path, into: &places)
                path.removeLast()
            }
        case .null, .bool: break
        }
    }

    private static func contains(_ text: [UInt8], _ forms: [[UInt8]]) -> Bool {
        forms.contains { contains(text, part: $0) }
    }

    private static func contains(_ text: [UInt8], part: [UInt8]) -> Bool {
        guard let first = part.first, text.count >= part.count else { return false }
        var index = 0
        while let next = text[index...].firstIndex(of: first), next + part.count <= text.count {
            if text[next...].starts(with: part) { return true }
            index = next + 1
        }
        return false
    }
}
