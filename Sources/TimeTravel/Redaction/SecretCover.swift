import JSONCore
import JournalReading

/// Finds in a text what it must not hold, once all secrets are known.
///
/// A secret is found wherever its text stands, a number only where it is not a part of a longer one. Of a text longer
/// than ``SecretTexts/longestLength`` its front is searched for, and everything after that counts as found.
struct SecretCover {
    private let search: AhoCorasick
    /// From this pattern on they are numbers.
    private let firstNumber: Int
    private let numbers: Set<JSONNumber>

    init(_ secrets: SecretTexts) {
        var patterns = Array(secrets.texts)
        firstNumber = patterns.count
        patterns += secrets.numberTexts
        search = AhoCorasick(patterns)
        numbers = secrets.numbers
    }

    /// Whether nothing is secret.
    var isEmpty: Bool { search.isEmpty }

    /// Whether a number is equal to one of the secrets.
    func holds(_ number: JSONNumber) -> Bool { numbers.contains(number) }

    /// The text with what it must not hold replaced, one mark for what lies together; nil where it holds nothing.
    func replaced(in text: String, by mark: (String) -> String) -> String? {
        guard !isEmpty, text.utf8.count >= SecretTexts.leastLength else { return nil }
        let bytes = Array(text.utf8)
        let covered = ranges(in: bytes)
        guard !covered.isEmpty else { return nil }
        var kept: [UInt8] = []
        var place = 0
        for range in covered {
            kept += bytes[place..<range.lowerBound]
            kept += mark(String(decoding: bytes[range], as: UTF8.self)).utf8
            place = range.upperBound
        }
        kept += bytes[place...]
        return String(decoding: kept, as: UTF8.self)
    }

    /// What is covered of a text, ascending, none of it touching another.
    private func ranges(in bytes: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        bytes.withBytes { text in
            search.search(text) { match, pattern in
                if pattern >= firstNumber, Self.isPartOfNumber(match, in: text) { return .shorter }
                var match = match
                // Cut at a character, which has four bytes at most.
                let isFront = pattern < firstNumber && match.count > SecretTexts.longestLength - 4
                if isFront { match = match.lowerBound..<text.count }
                while let last = ranges.last, last.upperBound >= match.lowerBound {
                    match = min(last.lowerBound, match.lowerBound)..<max(last.upperBound, match.upperBound)
                    ranges.removeLast()
                }
                ranges.append(match)
                return isFront ? .stop : .onwards
            }
        }
        return ranges
    }

    private static func isPartOfNumber(_ range: Range<Int>, in text: ByteView) -> Bool {
        func isDigit(_ index: Int) -> Bool { text.indices.contains(index) && text[index] &- 48 < 10 }
        return isDigit(range.lowerBound - 1) || isDigit(range.upperBound)
    }
}

/// Finds the lines that may hold a secret, or a member of a certain name, by their bytes alone.
///
/// It is true only of lines as our writer writes them (`RecordLine.isAsWritten`), in which a text can be written in one way: as itself, or as part of a JSON
/// Pointer.
struct SecretFilter {
    private let search: AhoCorasick
    private let hasNumbers: Bool
    /// Whether a name may be written in other bytes, which Swift takes for equal.
    private let hasForms: Bool

    /// - Parameter names: members that may not be passed over.
    init(_ secrets: SecretTexts, names: [String]) {
        // `K`, `;` and a backquote are what other characters decompose into.
        hasForms = names.contains { $0.utf8.contains { $0 >= 0x80 || $0 == 0x4B || $0 == 0x3B || $0 == 0x60 } }
        var patterns = Set<[UInt8]>()
        for text in secrets.texts {
            let text = String(decoding: text, as: UTF8.self)
            patterns.insert(Self.inside(text))
            patterns.insert(Self.inside(JSONPointer.escaped(text)))
        }
        patterns.formUnion(secrets.numberTexts)
        for name in names { patterns.insert([0x22] + Self.inside(name) + [0x22, 0x3A]) }
        search = AhoCorasick(Array(patterns))
        hasNumbers = !secrets.numbers.isEmpty
    }

    /// Whether a compact line may hold one; false is certain.
    func mayMatter(_ line: ByteView) -> Bool {
        search.isAny(in: line) || hasNumbers && Self.mayHoldUnusualNumber(line)
            || hasForms && line.contains { $0 >= 0x80 }
    }

    /// What lies between the quotes of a string.
    private static func inside(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONWriter.append(text, to: &bytes)
        return Array(bytes.dropFirst().dropLast())
    }

    /// Whether there may be a number with an exponent or with zeros at the end of its fraction, which can be equal to another
    /// one of other digits.
    private static func mayHoldUnusualNumber(_ line: ByteView) -> Bool {
        var isFraction = false
        var last: UInt8 = 0
        for byte in line {
            let followsDigit = last &- 48 < 10
            if followsDigit, byte | 0x20 == 0x65 { return true }
            if followsDigit, byte == 0x2E {
                isFraction = true
            } else if byte &- 48 >= 10 {
                if isFraction, last == 0x30 { return true }
                isFraction = false
            }
            last = byte
        }
        return false
    }
}
