import Diagnostics
package import JSONCore
import JournalFormat
package import JournalReading

/// `cite: FILE ID POSITION POINTER = VALUE`, where FILE, ID and POINTER are quoted as a shell would need it.
///
/// The pointer begins with the name of a store whatever the answer was scoped to, so that a citation means the same
/// everywhere.
package struct Citation: Sendable, Equatable {
    package static let label = "cite: "

    struct Claim: Sendable, Equatable {
        let pointer: JSONPointer
        let value: String
    }

    package let file: String
    package let id: String
    package let position: Int
    let claim: Claim?

    package var text: String {
        let start = Self.label + ShellQuoting.line([file, id, "\(position)"])
        guard let claim else { return start }
        return start + " " + ShellQuoting.quoted(claim.pointer.text) + " = " + claim.value
    }

    package static let valueLimit = 80

    /// A value in a citation: compact, its members in ascending order, and cut with its length where it is long.
    package static func text(of value: JSONValue) -> String {
        let preview = FittedValue.text(value.ascending(), limit: 4 * valueLimit)
        let text = LogLine.defused(ControlCharacters.escapedJSON(preview))
        guard text.utf8.count > valueLimit else { return text }
        return text.prefix(bytes: valueLimit) + "… (" + FittedValue.byteCount(of: value).counted("byte") + ")"
    }
}

package struct CitationReader {
    /// What only looks like a citation is left out; O(n) for a line without one.
    package static func citations(in line: String) -> [Citation] {
        let bytes = Array(line.utf8)
        let label = Array(Citation.label.utf8)
        var found: [Citation] = []
        var place = 0
        while let start = bytes[place...].firstRange(of: label)?.lowerBound {
            var rest = bytes[(start + label.count)...]
            // In a string of JSON the citation is escaped.
            if start > 0, bytes[start - 1] == UInt8(ascii: "\""),
                let end = JSONParser.endOfValue(in: bytes, from: start - 1),
                case .string(let text)? = try? JSONParser.parse(Array(bytes[(start - 1)..<end]))
            {
                rest = Array(text.utf8)[label.count...]
            }
            var reader = CitationReader(rest)
            if let citation = reader.citation() { found.append(citation) }
            place = start + label.count
        }
        return found
    }

    private var rest: ArraySlice<UInt8>

    private init(_ rest: ArraySlice<UInt8>) { self.rest = rest }

    private mutating func citation() -> Citation? {
        guard let file = word(), takeSpace(), let id = word(), takeSpace(), let position = number() else { return nil }
        return Citation(file: file, id: id, position: position, claim: claim())
    }

    private mutating func claim() -> Citation.Claim? {
        guard takeSpace(), let text = word(), let pointer = try? JSONPointer(parsing: text), take(" = ") else {
            return nil
        }
        return value().map { Citation.Claim(pointer: pointer, value: $0) }
    }

    private func value() -> String? {
        let bytes = Array(rest)
        if let end = JSONParser.endOfValue(in: bytes, from: 0) {
            var text = bytes[..<end]
            // A sentence may end after it.
            while let last = text.last, Self.punctuation.contains(last), (try? JSONParser.parse(Array(text))) == nil {
                text.removeLast()
            }
            if text.count <= Citation.valueLimit, (try? JSONParser.parse(Array(text))) != nil {
                return String(decoding: text, as: UTF8.self)
            }
        }
        let mark = Array("… (".utf8)
        guard let cut = bytes.prefix(Citation.valueLimit + mark.count).firstRange(of: mark) else { return nil }
        let digits = bytes[cut.upperBound...].prefix { Self.isDigit($0) }
        guard !digits.isEmpty, bytes[digits.endIndex...].starts(with: " bytes)".utf8) else { return nil }
        return String(decoding: bytes[..<digits.endIndex], as: UTF8.self) + " bytes)"
    }

    private static let punctuation = Set(".,;:!?`*)'".utf8)

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private mutating func number() -> Int? {
        let digits = rest.prefix { Self.isDigit($0) }
        rest = rest[digits.endIndex...]
        return Int(String(decoding: digits, as: UTF8.self))
    }

    private mutating func takeSpace() -> Bool { take(" ") }

    private mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    private mutating func word() -> String? {
        if take("\"$(printf '") { return escaped(through: "')\"", percent: true) }
        if take("$'") { return escaped(through: "'", percent: false) }
        var bytes: [UInt8] = []
        var isQuoted = false
        var hasAny = false
        while let byte = rest.first {
            if byte == UInt8(ascii: "'") {
                (isQuoted, hasAny) = (!isQuoted, true)
            } else if byte == UInt8(ascii: "\\"), !isQuoted {
                rest = rest.dropFirst()
                guard let next = rest.first else { return nil }
                bytes.append(next)
            } else if byte == UInt8(ascii: " "), !isQuoted {
                break
            } else {
                bytes.append(byte)
            }
            rest = rest.dropFirst()
        }
        return isQuoted || bytes.isEmpty && !hasAny ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// Unsafe bytes are written as `\012`.
    private mutating func escaped(through end: String, percent: Bool) -> String? {
        var bytes: [UInt8] = []
        while !take(end) {
            guard let byte = rest.popFirst() else { return nil }
            if percent, byte == UInt8(ascii: "%") {
                guard rest.popFirst() == UInt8(ascii: "%") else { return nil }
                bytes.append(byte)
            } else if byte == UInt8(ascii: "\\") {
                guard let octal = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8) else { return nil }
                bytes.append(octal)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

package enum CitationVerdict: Equatable {
    case holds
    case other(String?)
    case otherRun(String)
    case noPosition(String)
    case unreadable(String)

    /// - Complexity: a seek, and the state there as far as the citation reads it.
    package init(of citation: Citation, in journal: Journal) {
        do {
            let id = try journal.headerRecord.object()["id"]?.string ?? ""
            guard UTF8Order.equal(id, citation.id) else {
                self = .otherRun(id)
                return
            }
            let paths = citation.claim.map { PathSet($0.pointer) } ?? .nothing
            let state = try journal.state(at: CommitNumber(citation.position), pruning: paths).value
            guard let claim = citation.claim else {
                self = .holds
                return
            }
            let value = claim.pointer.value(in: state)
            self = value.map { Self.isSame($0, claim.value) } == true ? .holds : .other(value.map(Citation.text))
        } catch {
            let message = ExitStatus.diagnostics(of: error, in: nil)[0].message
            self = ExitStatus.of(error) == .notThere ? .noPosition(message) : .unreadable(message)
        }
    }

    private static func isSame(_ value: JSONValue, _ cited: String) -> Bool {
        if UTF8Order.equal(Citation.text(of: value), cited) { return true }
        return (try? JSONParser.parse(cited)) == value
    }

    package var status: ExitStatus {
        switch self {
        case .holds: .done
        case .other, .otherRun, .noPosition: .negative
        case .unreadable: .unreadable
        }
    }

    package var words: String? {
        switch self {
        case .holds: nil
        case .other(let value?): "there is " + value
        case .other(nil): "nothing is there"
        case .otherRun(let id): "the journal is of the run '\(id)'"
        case .noPosition(let message), .unreadable(let message): message
        }
    }
}
