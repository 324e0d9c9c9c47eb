internal import JournalFormat
internal import StateEncoding

extension TimestampText {
    /// Reads what ``text(secondsSince2001:)`` writes, and any time of RFC 3339; nil for anything else.
    ///
    /// A text that was made from a double gives the same double, to the nanosecond.
    static func secondsSince2001(of text: String) -> Double? {
        if text.utf8.first == UInt8(ascii: "@") {
            return Double(text.dropFirst()).map { $0 - secondsFrom1970To2001 }
        }
        var reader = DateTextReader(text.utf8[...])
        return reader.seconds()
    }
}

/// Walks the text of one date and time, whose year may have a sign and more than four digits.
private struct DateTextReader {
    /// More digits of a second than a double can distinguish.
    private static let fractionDigits = 15
    /// Years have no more digits, so that no number of days overflows.
    private static let yearDigits = 9

    private var rest: Substring.UTF8View

    init(_ rest: Substring.UTF8View) { self.rest = rest }

    /// The whole text as seconds since 2001.
    mutating func seconds() -> Double? {
        guard let day = day(), take("T") || take("t") || take(" "), let second = secondOfDay(),
            let fraction = fraction(), let offset = offset(), rest.isEmpty
        else { return nil }
        let whole = day * 86_400 + second - offset - Int(TimestampText.secondsFrom1970To2001)
        return Double(whole) + fraction
    }

    /// Days since 1970.
    private mutating func day() -> Int? {
        let isNegative = rest.first == UInt8(ascii: "-")
        let hasSign = isNegative || rest.first == UInt8(ascii: "+")
        if hasSign { rest.removeFirst() }
        guard let year = hasSign ? number(digits: 4...Self.yearDigits) : number(digits: 4...4), take("-"),
            let month = number(digits: 2...2), (1...12).contains(month), take("-"), let day = number(digits: 2...2)
        else { return nil }
        let signed = isNegative ? -year : year
        guard (1...CivilDate.dayCount(year: signed, month: month)).contains(day) else { return nil }
        return CivilDate(year: signed, month: month, day: day).dayNumber
    }

    /// Seconds of `hh:mm:ss`; a leap second is the first of the next minute.
    private mutating func secondOfDay() -> Int? {
        guard let hour = number(digits: 2...2), hour < 24, take(":"), let minute = number(digits: 2...2), minute < 60,
            take(":"), let second = number(digits: 2...2), second <= 60
        else { return nil }
        return (hour * 60 + minute) * 60 + second
    }

    /// The value of `.123`: the digits as a whole number, divided once, as the writer checked them against the value.
    private mutating func fraction() -> Double? {
        guard take(".") else { return 0 }
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !digits.isEmpty else { return nil }
        var (count, scale) = (0.0, 1.0)
        for digit in digits.prefix(Self.fractionDigits) {
            count = count * 10 + Double(digit &- 48)
            scale *= 10
        }
        rest.removeFirst(digits.count)
        return count / scale
    }

    /// Seconds east of UTC.
    private mutating func offset() -> Int? {
        if take("Z") || take("z") { return 0 }
        let isEast = take("+")
        guard isEast || take("-"), let hour = number(digits: 2...2), hour < 24, take(":"),
            let minute = number(digits: 2...2), minute < 60
        else { return nil }
        return (isEast ? 1 : -1) * (hour * 3_600 + minute * 60)
    }

    private mutating func number(digits: ClosedRange<Int>) -> Int? {
        let found = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.prefix(digits.upperBound)
        guard found.count >= digits.lowerBound else { return nil }
        rest.removeFirst(found.count)
        return found.reduce(0) { $0 * 10 + Int($1 &- 48) }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }
}
