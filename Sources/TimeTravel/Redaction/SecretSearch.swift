public import JournalFormat
import JSONCore
public import JournalReading

/// Searches for texts that must not be in a journal: in the bytes of every line, as they are and with all escapes undone, also of
/// lines that are no records.
public struct SecretSearch: Sendable {
    /// A place where one was found.
    public struct Finding: Sendable, Equatable {
        /// The line in the journal that was searched, counted from 1.
        public let line: Int
        /// The record's number; nil where the line is not a record.
        public let seq: CommitNumber?
        /// What kind of record it is; nil where the line is not a record.
        public let kind: RecordKind?
        /// Where in the record, a JSON Pointer; empty where only the bytes of the line hold it.
        public let path: String
        /// Which of the texts it is, by its place in the list.
        public let secret: Int
    }

    private let search: AhoCorasick
    /// Which text each pattern is of: it is searched for as it is, and as it would stand in a JSON Pointer.
    private let owners: [Int]

    /// A search for texts; empty ones are not searched for.
    public init(_ secrets: [String]) {
        var patterns: [[UInt8]] = []
        var owners: [Int] = []
        for (index, text) in secrets.enumerated() {
            for form in Set([text, JSONPointer.escaped(text)].map { Array($0.utf8) }) {
                patterns.append(form)
                owners.append(index)
            }
        }
        search = AhoCorasick(patterns)
        self.owners = owners
    }

    /// Searches all lines of a journal as they stand in its file, also those that are damaged or torn.
    public func search(_ journal: Journal, found: (Finding) -> Void) throws(JournalError) {
        var number = 0
        try journal.forEachLine { line in
            number += 1
            search(line, number: number, found)
        }
    }

    /// Searches the lines of a portion of a journal.
    ///
    /// - Parameters:
    ///   - bytes: whole lines.
    ///   - firstLine: the number of the first of them.
    /// - Returns: how many lines there are.
    public func search(_ bytes: [UInt8], firstLine: Int, found: (Finding) -> Void) -> Int {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        for (index, line) in lines.enumerated() {
            Array(line).withBytes { search($0, number: firstLine + index, found) }
        }
        return lines.count
    }

    private func search(_ line: ByteView, number: Int, _ found: (Finding) -> Void) {
        var secrets = secrets(in: line)
        if line.contains(UInt8(ascii: "\\")) {
            secrets.formUnion(Self.unescaped(line).withBytes { self.secrets(in: $0) })
        }
        guard !secrets.isEmpty else { return }
        var places: [(path: String, secret: Int)] = []
        var seq: CommitNumber?
        var kind: RecordKind?
        if case .object(let record)? = try? JSONParser.parse(line) {
            seq = record["seq"]?.number?.integerValue.map { CommitNumber($0) }
            kind = record["kind"]?.string.map { name in name.withBytes { RecordKind(name: $0) } }
            JSONValue.object(record).forEachText { text, _, path in
                for secret in text.withBytes({ self.secrets(in: $0) }).sorted() {
                    places.append((JSONPointer(path).text, secret))
                }
            }
        }
        for secret in secrets.sorted() {
            let paths = places.filter { $0.secret == secret }.map(\.path)
            for path in paths.isEmpty ? [""] : paths {
                found(Finding(line: number, seq: seq, kind: kind, path: path, secret: secret))
            }
        }
    }

    private func secrets(in text: ByteView) -> Set<Int> {
        var secrets = Set<Int>()
        search.search(text) { _, pattern in
            secrets.insert(owners[pattern])
            return .shorter
        }
        return secrets
    }

    // MARK: Escapes

    /// The bytes with every escape of JSON undone, wherever it stands: a line that is not JSON may still show a secret.
    private static func unescaped(_ line: ByteView) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(line.count)
        var index = 0
        while index < line.count {
            guard line[index] == UInt8(ascii: "\\"), index + 1 < line.count else {
                bytes.append(line[index])
                index += 1
                continue
            }
            switch line[index + 1] {
            case UInt8(ascii: "u"):
                let (scalar, length) = escapedScalar(line, at: index)
                bytes += String(Character(scalar)).utf8
                index += length
                continue
            case UInt8(ascii: "b"): bytes.append(0x08)
            case UInt8(ascii: "f"): bytes.append(0x0C)
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case let other: bytes.append(other)
            }
            index += 2
        }
        return bytes
    }

    private static func escapedScalar(_ line: ByteView, at index: Int) -> (Unicode.Scalar, Int) {
        guard let unit = codeUnit(line, at: index) else { return ("u", 2) }
        if UTF16.isLeadSurrogate(unit), let trail = codeUnit(line, at: index + 6), UTF16.isTrailSurrogate(trail) {
            return (UTF16.decode(UTF16.EncodedScalar([unit, trail])), 12)
        }
        return (Unicode.Scalar(unit) ?? "\u{FFFD}", 6)
    }

    private static func codeUnit(_ line: ByteView, at index: Int) -> UInt16? {
        guard index + 6 <= line.count, line[index] == UInt8(ascii: "\\"), line[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        let digits = String(decoding: line[(index + 2)..<(index + 6)], as: UTF8.self)
        return digits.utf8.allSatisfy { $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }
            ? UInt16(digits, radix: 16) : nil
    }
}
