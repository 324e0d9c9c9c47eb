import JSONCore

/// A position as a person types it, before any journal was examined.
public enum PositionText: Sendable, Equatable {
    /// After the commit of that number; 0 is the start of a journal that is not a segment.
    case commit(Int)
    /// Before the first commit.
    case start
    /// That many commits before the last one.
    case end(minus: Int)
    /// The last commit, or gap, not after that time.
    case time(TypedTime)
    /// A mark that contains the text: the first, or that of a number from 1.
    case mark(String, number: Int? = nil)

    /// After the last commit.
    public static var end: PositionText { .end(minus: 0) }

    /// Reads `12`, `start`, `end`, `end-3`, a time, `mark:TEXT` or `mark:TEXT#2`.
    ///
    /// What git's users type does too: `HEAD` and `@` are `end`, `end~3` is `end-3`, and `12~1` or `12^` is the one before.
    ///
    /// - Throws: ``PositionError/syntax(_:)`` for anything else.
    public init(parsing text: String) throws(PositionError) {
        if text == "start" {
            self = .start
        } else if let position = PositionText.counted(text) {
            self = position
        } else if UTF8Order.begins(text, with: "mark:"), text.utf8.count > 5 {
            self = PositionText.mark(typed: text.dropFirst(5))
        } else if let time = TypedTime(parsing: text) {
            self = .time(time)
        } else {
            throw .syntax(text)
        }
    }

    /// A number or the end, and how many commits to go back from there.
    private static func counted(_ text: String) -> PositionText? {
        for end in ["end", "HEAD", "@"] where UTF8Order.begins(text, with: end) {
            return back(text.dropFirst(end.count), signs: "-~").map { .end(minus: $0) }
        }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = number(digits), let back = back(text[digits.endIndex...], signs: "~") else { return nil }
        return .commit(number - back)
    }

    /// How many commits `-3`, `~3`, `~`, `^` or `^^` goes back; 0 for nothing, nil for anything else.
    private static func back(_ suffix: Substring, signs: String) -> Int? {
        guard let sign = suffix.first else { return 0 }
        if suffix.allSatisfy({ $0 == "^" }) { return suffix.count }
        guard signs.contains(sign) else { return nil }
        return sign == "~" && suffix.count == 1 ? 1 : number(suffix.dropFirst())
    }

    /// `TEXT#2` is the second mark that contains `TEXT`.
    private static func mark(typed text: Substring) -> PositionText {
        guard let sign = text.lastIndex(of: "#"), sign > text.startIndex,
            let number = number(text[text.index(after: sign)...]), number > 0
        else { return .mark(String(text)) }
        return .mark(String(text[..<sign]), number: number)
    }

    /// A decimal number without a sign, nil for anything else; one that is past every journal is the largest there is.
    static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 &- 48 < 10 }) else { return nil }
        return Int(text) ?? .max
    }
}

extension PositionText: ExpressibleByIntegerLiteral {
    /// After the commit of that number.
    public init(integerLiteral number: Int) { self = .commit(number) }
}

/// A range of a run as a person types it, `A..B`: the commits after A up to B.
public struct RangeText: Sendable, Equatable {
    /// The position before the first commit of the range; nil is the start.
    public var from: PositionText?
    /// The position of its last commit; nil is the end.
    public var to: PositionText?

    /// A range between two positions.
    public init(from: PositionText? = nil, to: PositionText? = nil) {
        self.from = from
        self.to = to
    }

    /// Reads `A..B`, of which either side may be left out.
    ///
    /// The last `..` with positions on both sides counts, because the text of a mark may hold one.
    ///
    /// - Throws: ``PositionError`` where there is no `..` or a side is not a position.
    public init(parsing text: String) throws(PositionError) {
        let bytes = Array(text.utf8)
        var problem = PositionError.rangeSyntax(text)
        for dots in stride(from: bytes.count - 2, through: 0, by: -1)
        where bytes[dots] == UInt8(ascii: ".") && bytes[dots + 1] == UInt8(ascii: ".") {
            do throws(PositionError) {
                from = try RangeText.side(bytes[..<dots])
                to = try RangeText.side(bytes[(dots + 2)...])
                return
            } catch {
                if case .rangeSyntax = problem { problem = error }
            }
        }
        throw problem
    }

    private static func side(_ bytes: ArraySlice<UInt8>) throws(PositionError) -> PositionText? {
        bytes.isEmpty ? nil : try PositionText(parsing: String(decoding: bytes, as: UTF8.self))
    }
}
