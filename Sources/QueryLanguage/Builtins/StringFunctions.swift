internal import JSONCore

enum StringFunctions {
    static let functions: [NativeFunction] = [
        NativeFunction("split", .one(split), effort: 8, cost: 2),
        affix("startswith", UTF8Order.begins), affix("endswith", UTF8Order.ends),
        trimming("ltrimstr", atStart: true, atEnd: false), trimming("rtrimstr", atStart: false, atEnd: true),
        trimming("trimstr", atStart: true, atEnd: true),
        trimmingSpace("trim", atStart: true, atEnd: true), trimmingSpace("ltrim", atStart: true, atEnd: false),
        trimmingSpace("rtrim", atStart: false, atEnd: true),
        NativeFunction("explode", .zero(explode), cost: 1),
        NativeFunction("utf8bytelength", .zero(byteLength), gives: .scalar),
        mappingASCII("ascii_downcase", 0x41...0x5A), mappingASCII("ascii_upcase", 0x61...0x7A),
        NativeFunction("_strindices", .one(stringIndices), cost: 4),
        NativeFunction("format", .metered(arity: 1, formatted)),
    ]

    // MARK: Searching

    static func offset(of part: String, in whole: String, from start: Int = 0) -> Int? {
        whole.withBytes { bytes in part.withBytes { wanted in offset(of: wanted, in: bytes, from: start) } }
    }

    static func offset(
        of wanted: ByteView, in bytes: ByteView, from start: Int
    ) -> Int? {
        guard let first = wanted.first else { return start <= bytes.count ? start : nil }
        var index = start
        var work = 0
        while index <= bytes.count - wanted.count {
            if bytes[index] == first {
                var length = 1
                while length < wanted.count, bytes[index + length] == wanted[length] { length += 1 }
                if length == wanted.count { return index }
                work += length
                if work > 4 * bytes.count { return laterOffset(of: wanted, in: bytes, from: index + 1) }
            }
            index += 1
        }
        return nil
    }

    /// The byte offset at which `part` first begins in `whole`, for texts that repeat themselves.
    private static func laterOffset(
        of wanted: ByteView, in bytes: ByteView, from start: Int
    ) -> Int? {
        var result: Int?
        Occurrences(of: wanted.count) { wanted[$0] == wanted[$1] }
            .forEach(in: start..<bytes.count, { bytes[$0] == wanted[$1] }) { place in
                result = place
                return false
            }
        return result
    }

    /// The length from which repeated beginnings are searched for: each occurrence may overlap the one before.
    private static let longPart = 32

    static func indices(of part: String, in whole: String) -> [JSONValue] {
        guard !part.isEmpty else { return [] }
        var found: [JSONValue] = []
        var codePoint = 0
        var counted = 0
        whole.withBytes { bytes in
            part.withBytes { wanted in
                func note(_ next: Int) -> Bool {
                    for byte in bytes[counted..<next] where byte & 0xC0 != 0x80 { codePoint += 1 }
                    counted = next
                    found.append(.number(JSONNumber(codePoint)))
                    return true
                }
                if wanted.count >= longPart {
                    Occurrences(of: wanted.count) { wanted[$0] == wanted[$1] }
                        .forEach(in: 0..<bytes.count, { bytes[$0] == wanted[$1] }, note)
                } else {
                    var start = 0
                    while let next = offset(of: wanted, in: bytes, from: start), note(next) { start = next + 1 }
                }
            }
        }
        return found
    }

    @Sendable private static func stringIndices(
        _ value: JSONValue, _ part: JSONValue
    ) throws(Interruption) -> JSONValue {
        guard case .string(let whole) = value else {
            throw ValueFunctions.failure(value, "cannot be searched, as it is not a string")
        }
        guard case .string(let wanted) = part else { throw ValueFunctions.failure(part, "is not a string") }
        return .array(indices(of: wanted, in: whole))
    }

    @Sendable private static func formatted(
        _ input: JSONValue, _ arguments: [JSONValue], _ machine: Machine
    ) throws(Interruption) -> JSONValue {
        guard case .string(let name) = arguments[0] else {
            throw ValueFunctions.failure(arguments[0], "is not a valid format")
        }
        guard let format = StringFormat(rawValue: "@" + name) else { throw .message("\(name) is not a valid format") }
        return .string(try format.apply(to: input, machine))
    }

    // MARK: Cutting

    @Sendable private static func split(_ value: JSONValue, _ separator: JSONValue) throws(Interruption) -> JSONValue {
        guard case .string(let text) = value, case .string(let mark) = separator else {
            throw .message("split input and separator must be strings")
        }
        return .array(parts(of: text, between: mark))
    }

    /// An empty separator cuts between code points.
    static func parts(of text: String, between separator: String) -> [JSONValue] {
        if text.isEmpty { return [] }
        if separator.isEmpty { return text.unicodeScalars.map { .string(String($0)) } }
        var parts: [JSONValue] = []
        text.withBytes { bytes in
            separator.withBytes { mark in
                var start = 0
                while let next = offset(of: mark, in: bytes, from: start) {
                    parts.append(.string(String(decoding: bytes[start..<next], as: UTF8.self)))
                    start = next + mark.count
                }
                parts.append(.string(String(decoding: bytes[start...], as: UTF8.self)))
            }
        }
        return parts
    }

    private static func affix(_ name: String, _ test: @escaping @Sendable (String, String) -> Bool) -> NativeFunction {
        NativeFunction(
            name,
            .one { value, part throws(Interruption) in
                guard case .string(let text) = value, case .string(let affix) = part else {
                    throw .message("\(name)() requires string inputs")
                }
                return .bool(test(text, affix))
            }, gives: .scalar)
    }

    private static func trimming(_ name: String, atStart: Bool, atEnd: Bool) -> NativeFunction {
        NativeFunction(
            name,
            .one { value, part throws(Interruption) in
                guard case .string(let text) = value, case .string(let affix) = part else {
                    throw .message("\(atStart ? "startswith" : "endswith")() requires string inputs")
                }
                return text.withBytes { bytes in
                    affix.withBytes { mark in
                        var rest = bytes[...]
                        if atStart && rest.starts(with: mark) { rest = rest.dropFirst(mark.count) }
                        if atEnd && rest.count >= mark.count && rest.suffix(mark.count).elementsEqual(mark) {
                            rest = rest.dropLast(mark.count)
                        }
                        return rest.count == bytes.count ? value : .string(String(decoding: rest, as: UTF8.self))
                    }
                }
            }, cost: 2, gives: .scalar)
    }

    private static func trimmingSpace(_ name: String, atStart: Bool, atEnd: Bool) -> NativeFunction {
        NativeFunction(
            name,
            .zero { value throws(Interruption) in
                guard case .string(let text) = value else { throw .message("trim input must be a string") }
                var rest = text.unicodeScalars[...]
                if atStart { rest = rest.drop { $0.properties.isWhitespace } }
                if atEnd { while let last = rest.last, last.properties.isWhitespace { rest.removeLast() } }
                return .string(String(rest))
            }, effort: 16, gives: .scalar)
    }

    // MARK: Code points

    @Sendable private static func explode(_ value: JSONValue) throws(Interruption) -> JSONValue {
        guard case .string(let text) = value else { throw .message("explode input must be a string") }
        return .array(text.unicodeScalars.map { .number(JSONNumber(Int($0.value))) })
    }

    @Sendable static func implode(_ value: JSONValue) throws(Interruption) -> JSONValue {
        guard case .array(let elements) = value else { throw .message("implode input must be an array") }
        var scalars = String.UnicodeScalarView()
        for element in elements {
            guard case .number(let number) = element, !number.doubleValue.isNaN else {
                throw ValueFunctions.failure(element, "can't be imploded, unicode codepoint needs to be numeric")
            }
            let code = max(-1, min(0x110000, number.doubleValue.rounded(.towardZero)))
            scalars.append(code < 0 ? "\u{FFFD}" : Unicode.Scalar(UInt32(code)) ?? "\u{FFFD}")
        }
        return .string(String(scalars))
    }

    @Sendable private static func byteLength(_ value: JSONValue) throws(Interruption) -> JSONValue {
        guard case .string(let text) = value else {
            throw ValueFunctions.failure(value, "only strings have UTF-8 byte length")
        }
        return .number(JSONNumber(text.utf8.count))
    }

    private static func mappingASCII(_ name: String, _ letters: ClosedRange<UInt8>) -> NativeFunction {
        NativeFunction(
            name,
            .zero { value throws(Interruption) in
                guard case .string(let text) = value else { throw .message("explode input must be a string") }
                return .string(String(decoding: text.utf8.map { letters.contains($0) ? $0 ^ 0x20 : $0 }, as: UTF8.self))
            }, cost: 2, gives: .scalar)
    }
}

/// Finds all occurrences, overlapping ones too, in a time that grows with the sum of the lengths (Knuth, Morris and
/// Pratt, "Fast pattern matching in strings", 1977).
///
/// Plain search is faster for a short sequence.
struct Occurrences {
    private let count: Int
    /// For each length of a matched prefix, the longest shorter prefix that then matches too.
    private var shorter: [Int]

    /// `count` is not 0; `same` says whether two places of the sequence hold the same.
    init(of count: Int, _ same: (Int, Int) -> Bool) {
        self.count = count
        shorter = [0, 0]
        shorter.reserveCapacity(count + 1)
        var length = 0
        for place in 1..<max(1, count) {
            while length > 0, !same(place, length) { length = shorter[length] }
            if same(place, length) { length += 1 }
            shorter.append(length)
        }
    }

    /// Ascending, until `found` returns false; `same` compares a place with one of the sequence.
    func forEach(in places: Range<Int>, _ same: (Int, Int) -> Bool, _ found: (Int) -> Bool) {
        var length = 0
        for place in places {
            while length > 0, !same(place, length) { length = shorter[length] }
            if same(place, length) { length += 1 }
            guard length == count else { continue }
            if !found(place + 1 - count) { return }
            length = shorter[length]
        }
    }
}
