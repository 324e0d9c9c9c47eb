import JSONCore

package struct CitationReader {
    /// Reads the citations of a line; what only looks like one is passed over.
    ///
    /// - Complexity: O(n) for a line without a citation.
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

    /// A word whose unsafe bytes are written as `\012`.
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
