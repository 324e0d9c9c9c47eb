import Platform

/// A moment, as journals keep it: microseconds since 1970-01-01T00:00:00Z, no leap seconds.
public struct Timestamp: Sendable, Hashable, Comparable {
    /// Microseconds since 1970, negative before.
    public let microseconds: Int

    /// Wraps a number of microseconds since 1970.
    public init(microseconds: Int) { self.microseconds = microseconds }

    /// The system's wall clock, cut to microseconds.
    public static func now() -> Timestamp {
        Timestamp(microseconds: SystemClock.microseconds())
    }

    /// The first moment that RFC 3339 can write: year 0000.
    static let earliest = Timestamp(microseconds: CivilDate(year: 0, month: 1, day: 1).dayNumber * microsecondsPerDay)
    /// The last moment that RFC 3339 can write: year 9999.
    static let latest = Timestamp(
        microseconds: (CivilDate(year: 9999, month: 12, day: 31).dayNumber + 1) * microsecondsPerDay - 1)

    package static let microsecondsPerDay = 86_400_000_000

    /// Whether one moment is before the other.
    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.microseconds < right.microseconds }
}

/// A day of the proleptic Gregorian calendar.
///
/// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms" (`days_from_civil`, `civil_from_days`): years begin in
/// March, so that the leap day is the last of its year and month lengths follow one linear formula.
package struct CivilDate: Equatable {
    package var year: Int
    package var month: Int
    package var day: Int

    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    package init(dayNumber: Int) {
        let shifted = dayNumber + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01.
    package var dayNumber: Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    package static func dayCount(year: Int, month: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
