internal import JSONCore

/// Built-ins over times, all in UTC: seconds since 1970, and "broken down" times, which are arrays of year, month
/// (from 0), day, hour, minute, seconds, day of the week (Sunday is 0) and day of the year (from 0).
enum DateFunctions {
    static let functions: [NativeFunction] = [
        NativeFunction("gmtime", .zero(brokenDown), cost: 20),
        NativeFunction("mktime", .zero(seconds), cost: 20, gives: .scalar),
        NativeFunction("strftime", .one(format), cost: 20, gives: .scalar),
        NativeFunction("strptime", .one(parse), cost: 20),
    ]

    @Sendable private static func brokenDown(_ value: JSONValue) throws(Interruption) -> JSONValue {
        guard case .number(let number) = value else { throw .message("gmtime() requires numeric inputs") }
        guard let time = BrokenDownTime(seconds: number.doubleValue) else {
            throw .message("error converting number of seconds since epoch to datetime")
        }
        return time.json
    }

    @Sendable private static func seconds(_ value: JSONValue) throws(Interruption) -> JSONValue {
        guard case .array = value else { throw .message("mktime requires array inputs") }
        guard let time = BrokenDownTime(json: value) else { throw .message("mktime requires parsed datetime inputs") }
        return Arithmetic.number(time.secondsSinceEpoch)
    }

    @Sendable private static func format(_ value: JSONValue, _ format: JSONValue) throws(Interruption) -> JSONValue {
        var time = value
        if case .number = value { time = try brokenDown(value) }
        guard case .array = time else { throw .message("strftime/1 requires parsed datetime inputs") }
        guard case .string(let pattern) = format else { throw .message("strftime/1 requires a string format") }
        guard let parts = BrokenDownTime(json: time) else {
            throw .message("strftime/1 requires parsed datetime inputs")
        }
        return .string(TimeFormat.format(parts, pattern))
    }

    @Sendable private static func parse(_ value: JSONValue, _ format: JSONValue) throws(Interruption) -> JSONValue {
        guard case .string(let text) = value, case .string(let pattern) = format else {
            throw .message("strptime/1 requires string inputs and arguments")
        }
        guard let time = TimeFormat.parse(text, pattern) else {
            throw .message("date \"\(text)\" does not match format \"\(pattern)\"")
        }
        return time.json
    }
}

/// A time in UTC by its parts.
struct BrokenDownTime {
    var year = 1900
    var month = 0
    var day = 1
    var hour = 0
    var minute = 0
    var second = 0.0
    var weekday = 0
    var yearDay = 0

    /// The largest number of seconds, which still has a year of about four digits; calendars mean nothing beyond it.
    private static let secondsLimit = 1e14

    init(day: Int = 1) { self.day = day }

    /// The parts of a number of seconds since 1970, or nil if it is out of range.
    init?(seconds: Double) {
        guard seconds.magnitude < Self.secondsLimit else { return nil }
        let whole = seconds.rounded(.down)
        let total = Int(whole)
        let days = (total - (((total % 86_400) + 86_400) % 86_400)) / 86_400
        let rest = total - days * 86_400
        hour = rest / 3_600
        minute = rest / 60 % 60
        second = Double(rest % 60) + (seconds - whole)
        (year, month, day) = CivilDate.date(of: days)
        completeDays()
    }

    /// The time that an array of numbers gives, missing ones being 0; nil if an element is not a number.
    ///
    /// Parts beyond their range carry over, and the days of week and year follow from the date.
    init?(json: JSONValue) {
        guard case .array(let elements) = json else { return nil }
        var parts = Array(repeating: 0, count: 8)
        for (index, element) in elements.prefix(8).enumerated() {
            guard case .number(let number) = element, !number.doubleValue.isNaN else { return nil }
            parts[index] = Int(max(-0x8000_0000, min(0x7FFF_FFFF, number.doubleValue)))
        }
        (year, month, day, hour, minute) = (parts[0], parts[1], parts[2], parts[3], parts[4])
        if elements.isEmpty { year = 1900 }
        second = Double(parts[5])
        if let normal = BrokenDownTime(seconds: secondsSinceEpoch) {
            self = normal
        } else {
            (weekday, yearDay) = (parts[6], parts[7])
        }
    }

    /// Days since 1970 of the date; months beyond the year carry over.
    var days: Int {
        let carried = year + (month >= 0 ? month / 12 : -((11 - month) / 12))
        return CivilDate.days(year: carried, month: ((month % 12) + 12) % 12, day: day)
    }

    var secondsSinceEpoch: Double {
        Double(days * 86_400 + hour * 3_600 + minute * 60) + second.rounded(.down)
    }

    mutating func completeDays() {
        weekday = (((days + 4) % 7) + 7) % 7
        yearDay = days - CivilDate.days(year: year, month: 0, day: 1)
    }

    var json: JSONValue {
        .array(
            [year, month, day, hour, minute].map { .number(JSONNumber($0)) }
                + [Arithmetic.number(second), .number(JSONNumber(weekday)), .number(JSONNumber(yearDay))])
    }
}

/// The proleptic Gregorian calendar as a count of days.
///
/// The arithmetic is Howard Hinnant's ("chrono-compatible low-level date algorithms", 2013): years begin in March, so that
/// the leap day is the last one, and 400 years repeat exactly.
enum CivilDate {
    /// Days since 1970-01-01; `month` from 0.
    static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month < 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((month + 10) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The date of a count of days since 1970-01-01.
    static func date(of days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = (monthFromMarch + 2) % 12
        return (yearOfEra + era * 400 + (month < 2 ? 1 : 0), month, day)
    }
}
