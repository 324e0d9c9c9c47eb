internal import JSONCore

/// The RFC 3339 form of a point in time.
enum TimestampText {
    private static let secondsFrom1970To2001 = 978_307_200.0
    /// Beyond this a double tells no seconds apart any more, and a year has more digits than a date can show.
    private static let largestSeconds = 1e14

    /// `2026-01-31T08:00:00.25Z`: UTC, with as many digits of a second as it takes to read the same double back, at most
    /// nine.
    ///
    /// A year outside 0…9999 has a sign and at least six digits (ISO 8601's expanded form); what is further away, or no
    /// number, is its seconds since 1970 (`@1e+300`, `@Infinity`).
    static func text(secondsSince2001 value: Double) -> String {
        guard value.isFinite, value.magnitude < largestSeconds else {
            return "@" + DoubleText.shortest(value + secondsFrom1970To2001)
        }
        let whole = value.rounded(.down)
        let (carry, fraction) = fractionDigits(of: value - whole, whole: whole)
        let seconds = Int64(whole) + Int64(secondsFrom1970To2001) + carry
        let day = (Double(seconds) / 86_400).rounded(.down)
        let secondOfDay = seconds - Int64(day) * 86_400
        let date = civilDate(day: Int64(day))
        return yearText(date.year) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2) + "T"
            + padded(secondOfDay / 3_600, 2) + ":" + padded(secondOfDay / 60 % 60, 2) + ":"
            + padded(secondOfDay % 60, 2)
            + fraction + "Z"
    }

    /// The fewest digits that give the same double back, with the second that rounding may carry over.
    private static func fractionDigits(of fraction: Double, whole: Double) -> (carry: Int64, text: String) {
        if fraction == 0 { return (0, "") }
        var scale = 10.0
        for digits in 1...9 {
            let count = (fraction * scale).rounded()
            if digits == 9 || whole + count / scale == whole + fraction {
                return count >= scale ? (1, "") : (0, "." + padded(Int64(count), digits))
            }
            scale *= 10
        }
        return (0, "")
    }

    /// Days since 1970 to a date of the proleptic Gregorian calendar (Howard Hinnant, "chrono-compatible low-level date
    /// algorithms", `civil_from_days`).
    private static func civilDate(day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func yearText(_ year: Int64) -> String {
        (0...9_999).contains(year) ? padded(year, 4) : (year < 0 ? "-" : "+") + padded(abs(year), 6)
    }

    private static func padded(_ value: Int64, _ digits: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
