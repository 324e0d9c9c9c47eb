/// `strftime` and `strptime` in the C locale and in UTC.
enum TimeFormat {
    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// Conversions that are short for others.
    private static let composed: [UInt8: String] = [
        UInt8(ascii: "D"): "%m/%d/%y", UInt8(ascii: "F"): "%Y-%m-%d", UInt8(ascii: "R"): "%H:%M",
        UInt8(ascii: "T"): "%H:%M:%S", UInt8(ascii: "r"): "%I:%M:%S %p", UInt8(ascii: "c"): "%a %b %e %H:%M:%S %Y",
        UInt8(ascii: "x"): "%m/%d/%y", UInt8(ascii: "X"): "%H:%M:%S", UInt8(ascii: "h"): "%b",
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
            if let whole = composed[conversion] {
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
        let weekday = weekdays[((time.weekday % 7) + 7) % 7]
        let month = months[((time.month % 12) + 12) % 12]
        switch conversion {
        case UInt8(ascii: "Y"): return String(time.year)
        case UInt8(ascii: "C"): return padded(time.year / 100, 2)
        case UInt8(ascii: "y"): return padded(((time.year % 100) + 100) % 100, 2)
        case UInt8(ascii: "m"): return padded(time.month + 1, 2)
        case UInt8(ascii: "d"): return padded(time.day, 2)
        case UInt8(ascii: "e"): return padded(time.day, 2, " ")
        case UInt8(ascii: "H"): return padded(time.hour, 2)
        case UInt8(ascii: "k"): return padded(time.hour, 2, " ")
        case UInt8(ascii: "I"): return padded((time.hour + 11) % 12 + 1, 2)
        case UInt8(ascii: "l"): return padded((time.hour + 11) % 12 + 1, 2, " ")
        case UInt8(ascii: "M"): return padded(time.minute, 2)
        case UInt8(ascii: "S"): return padded(Int(time.second), 2)
        case UInt8(ascii: "p"): return time.hour < 12 ? "AM" : "PM"
        case UInt8(ascii: "P"): return time.hour < 12 ? "am" : "pm"
        case UInt8(ascii: "j"): return padded(time.yearDay + 1, 3)
        case UInt8(ascii: "A"): return weekday
        case UInt8(ascii: "a"): return String(weekday.prefix(3))
        case UInt8(ascii: "B"): return month
        case UInt8(ascii: "b"): return String(month.prefix(3))
        default: return convertRarely(time, conversion)
        }
    }

    private static func convertRarely(_ time: BrokenDownTime, _ conversion: UInt8) -> String {
        switch conversion {
        case UInt8(ascii: "s"): return String(Int(time.secondsSinceEpoch))
        case UInt8(ascii: "u"): return String((time.weekday + 6) % 7 + 1)
        case UInt8(ascii: "w"): return String(time.weekday)
        case UInt8(ascii: "U"): return padded((time.yearDay + 7 - time.weekday) / 7, 2)
        case UInt8(ascii: "W"): return padded((time.yearDay + 7 - (time.weekday + 6) % 7) / 7, 2)
        case UInt8(ascii: "V"): return padded(isoWeek(time).week, 2)
        case UInt8(ascii: "G"): return String(isoWeek(time).year)
        case UInt8(ascii: "g"): return padded(isoWeek(time).year % 100, 2)
        case UInt8(ascii: "Z"): return "UTC"
        case UInt8(ascii: "z"): return "+0000"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "%"): return "%"
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

    /// The time that a text gives by a format, or nil if it does not match to its end.
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
                    if let whole = TimeFormat.composed[conversion] {
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

        mutating func skipSpace() {
            text = text.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        }

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

        /// The index of the name, whole or its first three letters, that the text begins with, whatever its case.
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
            switch conversion {
            case UInt8(ascii: "Y"): return set(\.year, number(4, -9_999...9_999, signed: true))
            case UInt8(ascii: "m"): return set(\.month, number(2, 1...12), offset: -1)
            case UInt8(ascii: "d"), UInt8(ascii: "e"): return set(\.day, number(2, 1...31))
            case UInt8(ascii: "H"), UInt8(ascii: "k"): return set(\.hour, number(2, 0...23))
            case UInt8(ascii: "I"), UInt8(ascii: "l"): return set(\.hour, number(2, 1...12))
            case UInt8(ascii: "M"): return set(\.minute, number(2, 0...59))
            case UInt8(ascii: "S"):
                guard let value = number(2, 0...60) else { return false }
                time.second = Double(value)
                return true
            case UInt8(ascii: "y"):
                guard let value = number(2, 0...99) else { return false }
                time.year = value < 69 ? 2000 + value : 1900 + value
                hasDate = true
                return true
            case UInt8(ascii: "A"), UInt8(ascii: "a"): return name(of: TimeFormat.weekdays) != nil
            case UInt8(ascii: "B"), UInt8(ascii: "b"): return set(\.month, name(of: TimeFormat.months))
            default: return convertRarely(conversion)
            }
        }

        mutating func convertRarely(_ conversion: UInt8) -> Bool {
            switch conversion {
            case UInt8(ascii: "j"):
                yearDay = number(3, 1...366).map { $0 - 1 }
                hasDate = true
                return yearDay != nil
            case UInt8(ascii: "s"):
                epoch = number(14, 0...99_999_999_999_999)
                return epoch != nil
            case UInt8(ascii: "p"), UInt8(ascii: "P"):
                guard let index = name(of: ["am", "pm"]) else { return false }
                isAfternoon = index == 1
                return true
            case UInt8(ascii: "u"), UInt8(ascii: "w"): return number(1, 0...7) != nil
            case UInt8(ascii: "Z"):
                text = text.drop { $0.isNameStart }
                return true
            case UInt8(ascii: "z"): return readOffset()
            case UInt8(ascii: "n"), UInt8(ascii: "t"):
                skipSpace()
                return true
            case UInt8(ascii: "%"):
                guard text.first == conversion else { return false }
                text.removeFirst()
                return true
            default: return false
            }
        }

        /// `Z`, `+0200`, `+02:00` or `+02`; as in the C library's own function, the time is not shifted by it.
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
