import JSONCore
import JournalReading

/// A secret is found wherever its text stands, a number only where it is not a part of a longer one.
///
/// Of a text longer than ``SecretTexts/longestLength`` the front is searched for, and everything after that counts as
/// found.
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

    var isEmpty: Bool { search.isEmpty }
    func holds(_ number: JSONNumber) -> Bool { numbers.contains(number.magnitude) }

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

/// Finds the lines that may hold a secret, or a member of a certain name, by their bytes: only lines as our writer
/// writes them (`RecordLine.isAsWritten`), where a text is written as itself or as part of a JSON Pointer.
struct SecretFilter {
    private let search: AhoCorasick
    private let hasNumbers: Bool
    /// Whether a name may be written in other bytes, which Swift takes for equal.
    private let hasForms: Bool

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

    private static func inside(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONWriter.append(text, to: &bytes)
        return Array(bytes.dropFirst().dropLast())
    }

    /// Whether there may be a number with an exponent, or with zeros at its end, which can be equal to one of other digits.
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

struct SecretTexts {
    /// Shorter texts stand in too many places by chance.
    static let leastLength = 4
    /// The front of a longer text stands for it.
    static let longestLength = 256
    private(set) var texts = Set<[UInt8]>()
    /// Without their signs: what was paid out is the digits of what came in.
    private(set) var numbers = Set<JSONNumber>()
    var numberTexts: [[UInt8]] { numbers.flatMap { [$0.text, $0.plainText].compactMap { $0.map { Array($0.utf8) } } } }

    mutating func collect(_ value: JSONValue) {
        if value.isRedacted { return }
        switch value {
        case .string(let text): note(text)
        case .number(let number): if number.isSecretive { numbers.insert(number.magnitude) }
        case .array(let elements): for element in elements { collect(element) }
        case .object(let members):
            for (name, member) in members {
                collect(key: name)
                collect(member)
            }
        case .null, .bool: break
        }
    }

    /// Notes the name of a member: an address as a key may be a secret, the name of a property is none.
    mutating func collect(key name: String) { if !SecretTexts.isPlainName(name) { note(name) } }

    private static func isPlainName(_ name: String) -> Bool {
        name.utf8.allSatisfy { ($0 | 0x20) &- 97 < 26 || $0 == 0x5F || $0 &- 48 < 10 } && (name.utf8.first ?? 0) > 57
    }

    private mutating func note(_ text: String) {
        var bytes = Array(text.utf8)
        guard bytes.count >= SecretTexts.leastLength else { return }
        if bytes.count > SecretTexts.longestLength {
            var end = SecretTexts.longestLength
            while bytes[end] & 0xC0 == 0x80 { end -= 1 }
            bytes.removeSubrange(end...)
        }
        texts.insert(bytes)
    }
}

extension JSONNumber {
    /// Whether it is long enough to be distinguished from others; equal numbers are alike in that.
    var isSecretive: Bool { (plainText ?? text).utf8.count >= SecretTexts.leastLength }

    var magnitude: JSONNumber {
        let text = text
        return text.utf8.first == UInt8(ascii: "-") ? JSONNumber(literal: String(text.dropFirst())) : self
    }
}
