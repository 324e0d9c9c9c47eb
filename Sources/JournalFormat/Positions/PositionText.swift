/// A position as a person types it, before any journal was looked at.
public enum PositionText: Sendable, Equatable {
    /// After the commit of that number; 0 is the start of a journal that is no segment.
    case commit(Int)
    /// Before the first commit.
    case start
    /// So many commits before the last one.
    case end(minus: Int)
    /// The last commit not after that time.
    case time(Timestamp)
    /// The first mark that contains the text.
    case mark(String)

    /// After the last commit.
    public static var end: PositionText { .end(minus: 0) }

    /// Reads `12`, `start`, `end`, `end-3`, an RFC 3339 time or `mark:TEXT`.
    ///
    /// - Throws: ``PositionError/syntax(_:)`` for anything else.
    public init(parsing text: String) throws(PositionError) {
        if let number = PositionText.number(text[...]) {
            self = .commit(number)
        } else if text == "start" {
            self = .start
        } else if text == "end" {
            self = .end(minus: 0)
        } else if text.hasPrefix("end-"), let back = PositionText.number(text.dropFirst(4)) {
            self = .end(minus: back)
        } else if text.hasPrefix("mark:"), text.utf8.count > 5 {
            self = .mark(String(text.dropFirst(5)))
        } else if let time = Timestamp(text) {
            self = .time(time)
        } else {
            throw .syntax(text)
        }
    }

    /// A decimal number without a sign; nil for anything else, also for more than 64 bits.
    static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 &- 48 < 10 }) else { return nil }
        return Int(text)
    }
}

extension PositionText: ExpressibleByIntegerLiteral {
    /// After the commit of that number.
    public init(integerLiteral number: Int) { self = .commit(number) }
}

/// A stretch of a run as a person types it, `A..B`: the commits after A up to B.
public struct RangeText: Sendable, Equatable {
    /// The position before the first commit of the stretch; nil is the start.
    public var from: PositionText?
    /// The position of its last commit; nil is the end.
    public var to: PositionText?

    /// A stretch between two positions.
    public init(from: PositionText? = nil, to: PositionText? = nil) {
        self.from = from
        self.to = to
    }

    /// Reads `A..B`, of which either side may be left out.
    ///
    /// The last `..` with a position behind it counts, because the text of a mark may hold one.
    ///
    /// - Throws: ``PositionError`` where there is no `..` or a side is no position.
    public init(parsing text: String) throws(PositionError) {
        let bytes = Array(text.utf8)
        guard
            let dots = (0..<max(0, bytes.count - 1)).last(where: {
                bytes[$0] == UInt8(ascii: ".") && bytes[$0 + 1] == UInt8(ascii: ".")
            })
        else { throw .rangeSyntax(text) }
        let left = String(decoding: bytes[..<dots], as: UTF8.self)
        let right = String(decoding: bytes[(dots + 2)...], as: UTF8.self)
        from = left.isEmpty ? nil : try PositionText(parsing: left)
        to = right.isEmpty ? nil : try PositionText(parsing: right)
    }
}
