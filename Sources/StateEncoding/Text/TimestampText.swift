internal import JSONCore
internal import JournalFormat

/// The RFC 3339 form of a point in time.
package enum TimestampText {
    package static let secondsFrom1970To2001 = 978_307_200.0
    /// Beyond this a double does not distinguish seconds any more, and a year has more digits than a date can show.
    private static let largestSeconds = 1e14

    /// `2026-01-31T08:00:00.25Z`: UTC, with as many digits of a second as it takes to read the same double back, at most
    /// nine.
    ///
    /// A year outside 0…9999 has a sign and at least six digits (ISO 8601's expanded form); a time further away, or not
    /// a number, is written as its seconds since 1970 (`@1e+300`, `@Infinity`).
    static func text(secondsSince2001 value: Double) -> String {
        guard value.isFinite, value.magnitude < largestSeconds else {
            return "@" + DoubleText.shortest(value + secondsFrom1970To2001)
        }
        let whole = value.rounded(.down)
        let (carry, fraction) = fractionDigits(of: value - whole, whole: whole)
        let seconds = Int(whole) + Int(secondsFrom1970To2001) + carry
        let day = (Double(seconds) / 86_400).rounded(.down)
        let secondOfDay = seconds - Int(day) * 86_400
        let date = CivilDate(dayNumber: Int(day))
        return yearText(date.year) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2) + "T"
            + padded(secondOfDay / 3_600, 2) + ":" + padded(secondOfDay / 60 % 60, 2) + ":"
            + padded(secondOfDay % 60, 2)
            + fraction + "Z"
    }

    /// The fewest digits that give the same double back, and the second that rounding may carry over.
    private static func fractionDigits(of fraction: Double, whole: Double) -> (carry: Int, text: String) {
        if fraction == 0 { return (0, "") }
        var scale = 10.0
        for digits in 1...9 {
            let count = (fraction * scale).rounded()
            if digits == 9 || whole + count / scale == whole + fraction {
                return count >= scale ? (1, "") : (0, "." + padded(Int(count), digits))
            }
            scale *= 10
        }
        return (0, "")
    }

    private static func yearText(_ year: Int) -> String {
        (0...9_999).contains(year) ? padded(year, 4) : (year < 0 ? "-" : "+") + padded(abs(year), 6)
    }

    private static func padded(_ value: Int, _ digits: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
