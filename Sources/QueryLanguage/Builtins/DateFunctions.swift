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

struct BrokenDownTime {
    var year = 1900
    var month = 0
    var day = 1
    var hour = 0
    var minute = 0
    var second = 0.0
    var weekday = 0
    var yearDay = 0

    /// Some three million years: calendars mean nothing beyond it.
    private static let secondsLimit = 1e14

    init(day: Int = 1) { self.day = day }

    init?(seconds: Double) {
        guard seconds.magnitude < Self.secondsLimit else { return nil }
        let whole = seconds.rounded(.down)
        let total = Int(whole)
        let days = (total - modulo(total, 86_400)) / 86_400
        let rest = total - days * 86_400
        hour = rest / 3_600
        minute = rest / 60 % 60
        second = Double(rest % 60) + (seconds - whole)
        (year, month, day) = CivilDate.date(of: days)
        completeDays()
    }

    /// Missing numbers are 0; nil if an element is not a number; parts beyond their range carry over.
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

    var days: Int {
        let carried = year + (month >= 0 ? month / 12 : -((11 - month) / 12))
        return CivilDate.days(year: carried, month: modulo(month, 12), day: day)
    }

    var secondsSinceEpoch: Double { Double(days * 86_400 + hour * 3_600 + minute * 60) + second.rounded(.down) }

    mutating func completeDays() {
        weekday = modulo(days + 4, 7)
        yearDay = days - CivilDate.days(year: year, month: 0, day: 1)
    }

    var json: JSONValue {
        .array(
            [year, month, day, hour, minute].map { .number(JSONNumber($0)) }
                + [Arithmetic.number(second), .number(JSONNumber(weekday)), .number(JSONNumber(yearDay))])
    }
}

/// The proleptic Gregorian calendar, by Howard Hinnant's "chrono-compatible low-level date algorithms" (2013): years
/// begin in March, so that the leap day is the last one, and 400 years repeat exactly.
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

/// `strftime` and `strptime` in the C locale and in UTC.
enum TimeFormat {
    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    private static let composed: [Unicode.Scalar: String] = [
        "D": "%m/%d/%y", "F": "%Y-%m-%d", "R": "%H:%M", "T": "%H:%M:%S", "r": "%I:%M:%S %p",
        "c": "%a %b %e %H:%M:%S %Y", "x": "%m/%d/%y", "X": "%H:%M:%S", "h": "%b",
    ]

    // MARK: Formatting

    static func format(_ time: BrokenDownTime, _ pattern: String) -> String {
        var result = ""
        var bytes = Array(pattern.utf8)[...]
        var literal: [UInt8] = []
        while let byte = bytes.popFirst() {
            guard byte == UInt8(ascii: "%"), let conversion = bytes.popFirst() else {
                literal.append(byte)
                continue
            }
            result += String(decoding: literal, as: UTF8.self)
            literal = []
            if let whole = composed[Unicode.Scalar(conversion)] {
                result += format(time, whole)
            } else {
                result += convert(time, conversion)
            }
        }
        return result + String(decoding: literal, as: UTF8.self)
    }

    private static func padded(_ value: Int, _ width: Int, _ fill: Character = "0") -> String {
        let digits = String(value.magnitude)
        let padding = String(repeating: fill, count: max(0, width - digits.utf8.count))
        return (value < 0 ? "-" : "") + padding + digits
    }

    private static func convert(_ time: BrokenDownTime, _ conversion: UInt8) -> String {
        let weekday = weekdays[modulo(time.weekday, 7)]
        let month = months[modulo(time.month, 12)]
        switch Unicode.Scalar(conversion) {
        case "Y": return String(time.year)
        case "C": return padded(time.year / 100, 2)
        case "y": return padded(modulo(time.year, 100), 2)
        case "m": return padded(time.month + 1, 2)
        case "d": return padded(time.day, 2)
        case "e": return padded(time.day, 2, " ")
        case "H": return padded(time.hour, 2)
        case "k": return padded(time.hour, 2, " ")
        case "I": return padded((time.hour + 11) % 12 + 1, 2)
        case "l": return padded((time.hour + 11) % 12 + 1, 2, " ")
        case "M": return padded(time.minute, 2)
        case "S": return padded(Int(time.second), 2)
        case "p": return time.hour < 12 ? "AM" : "PM"
        case "P": return time.hour < 12 ? "am" : "pm"
        case "j": return padded(time.yearDay + 1, 3)
        case "A": return weekday
        case "a": return String(weekday.prefix(3))
        case "B": return month
        case "b": return String(month.prefix(3))
        case "s": return String(Int(time.secondsSinceEpoch))
        case "u": return String((time.weekday + 6) % 7 + 1)
        case "w": return String(time.weekday)
        case "U": return padded((time.yearDay + 7 - time.weekday) / 7, 2)
        case "W": return padded((time.yearDay + 7 - (time.weekday + 6) % 7) / 7, 2)
        case "V": return padded(isoWeek(time).week, 2)
        case "G": return String(isoWeek(time).year)
        case "g": return padded(isoWeek(time).year % 100, 2)
        case "Z": return "UTC"
        case "z": return "+0000"
        case "n": return "\n"
        case "t": return "\t"
        case "%": return "%"
        default: return "%" + String(decoding: [conversion], as: UTF8.self)
        }
    }

    /// The week of ISO 8601, which belongs to the year of its Thursday.
    private static func isoWeek(_ time: BrokenDownTime) -> (year: Int, week: Int) {
        let thursday = time.days - (time.weekday + 6) % 7 + 3
        let year = CivilDate.date(of: thursday).year
        return (year, (thursday - CivilDate.days(year: year, month: 0, day: 1)) / 7 + 1)
    }

    // MARK: Parsing

    static func parse(_ text: String, _ pattern: String) -> BrokenDownTime? {
        var reader = Reader(text: Array(text.utf8)[...])
        guard reader.read(Array(pattern.utf8)[...]), reader.text.isEmpty else { return nil }
        return reader.finished()
    }

    private struct Reader {
        var text: ArraySlice<UInt8>
        /// No day is set until one is read, as in C.
        var time = BrokenDownTime(day: 0)
        var hasDate = false
        var isAfternoon: Bool?
        var epoch: Int?
        var yearDay: Int?

        func finished() -> BrokenDownTime {
            if let epoch, let time = BrokenDownTime(seconds: Double(epoch)) { return time }
            var result = time
            if let isAfternoon { result.hour = result.hour % 12 + (isAfternoon ? 12 : 0) }
            if let yearDay, time.month == 0, time.day == 0 {
                let days = CivilDate.days(year: result.year, month: 0, day: 1) + yearDay
                (_, result.month, result.day) = CivilDate.date(of: days)
            }
            // If nothing was read that belongs to a date, the days are C's marks for that.
            if hasDate { result.completeDays() } else { (result.weekday, result.yearDay) = (8, 367) }
            return result
        }

        mutating func read(_ pattern: ArraySlice<UInt8>) -> Bool {
            var pattern = pattern
            while let byte = pattern.popFirst() {
                if byte == 0x20 || (0x09...0x0D).contains(byte) {
                    skipSpace()
                } else if byte == UInt8(ascii: "%"), let conversion = pattern.popFirst() {
                    if let whole = TimeFormat.composed[Unicode.Scalar(conversion)] {
                        guard read(Array(whole.utf8)[...]) else { return false }
                    } else if !convert(conversion) {
                        return false
                    }
                } else {
                    guard text.first == byte else { return false }
                    text.removeFirst()
                }
            }
            return true
        }

        mutating func skipSpace() { text = text.drop { $0 == 0x20 || (0x09...0x0D).contains($0) } }

        mutating func number(_ digits: Int, _ range: ClosedRange<Int>, signed: Bool = false) -> Int? {
            skipSpace()
            var sign = 1
            if signed, let first = text.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
                sign = first == UInt8(ascii: "-") ? -1 : 1
                text.removeFirst()
            }
            let read = text.prefix(digits).prefix { $0.isDigit }
            guard let value = Int(String(decoding: read, as: UTF8.self)), range.contains(value * sign) else {
                return nil
            }
            text = text.dropFirst(read.count)
            return value * sign
        }

        /// A name counts whole or by its first three letters, in upper or lower case.
        mutating func name(of names: [String]) -> Int? {
            let lowered = text.map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 }
            for (index, name) in names.enumerated() {
                let whole = Array(name.lowercased().utf8)
                for candidate in [whole, Array(whole.prefix(3))] where lowered.starts(with: candidate) {
                    text = text.dropFirst(candidate.count)
                    return index
                }
            }
            return nil
        }

        mutating func set(_ part: WritableKeyPath<BrokenDownTime, Int>, _ value: Int?, offset: Int = 0) -> Bool {
            guard let value else { return false }
            hasDate = hasDate || part == \.year || part == \.month || part == \.day
            time[keyPath: part] = value + offset
            return true
        }

        mutating func convert(_ conversion: UInt8) -> Bool {
            switch Unicode.Scalar(conversion) {
            case "Y": return set(\.year, number(4, -9_999...9_999, signed: true))
            case "m": return set(\.month, number(2, 1...12), offset: -1)
            case "d", "e": return set(\.day, number(2, 1...31))
            case "H", "k": return set(\.hour, number(2, 0...23))
            case "I", "l": return set(\.hour, number(2, 1...12))
            case "M": return set(\.minute, number(2, 0...59))
            case "S":
                guard let value = number(2, 0...60) else { return false }
                time.second = Double(value)
                return true
            case "y":
                guard let value = number(2, 0...99) else { return false }
                time.year = value < 69 ? 2000 + value : 1900 + value
                hasDate = true
                return true
            case "A", "a": return name(of: TimeFormat.weekdays) != nil
            case "B", "b": return set(\.month, name(of: TimeFormat.months))
            case "j":
                yearDay = number(3, 1...366).map { $0 - 1 }
                hasDate = true
                return yearDay != nil
            case "s":
                epoch = number(14, 0...99_999_999_999_999)
                return epoch != nil
            case "p", "P":
                guard let index = name(of: ["am", "pm"]) else { return false }
                isAfternoon = index == 1
                return true
            case "u", "w": return number(1, 0...7) != nil
            case "Z":
                text = text.drop { $0.isNameStart }
                return true
            case "z": return readOffset()
            case "n", "t":
                skipSpace()
                return true
            case "%":
                guard text.first == conversion else { return false }
                text.removeFirst()
                return true
            default: return false
            }
        }

        mutating func readOffset() -> Bool {
            if text.first == UInt8(ascii: "Z") {
                text.removeFirst()
                return true
            }
            guard let sign = text.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return false }
            text.removeFirst()
            guard number(2, 0...14) != nil else { return false }
            if text.first == UInt8(ascii: ":") { text.removeFirst() }
            if let next = text.first, next.isDigit { return number(2, 0...59) != nil }
            return true
        }
    }
}

private func modulo(_ value: Int, _ divisor: Int) -> Int { ((value % divisor) + divisor) % divisor }
