public import JSONCore
public import JournalFormat

/// Times as other programs write them.
public enum SourceTime {
    /// The moment that a value stands for; nil where it is none.
    ///
    /// A text is RFC 3339, RFC 1123 or like them: a date alone, without a zone (UTC), with the name of one, with what Java writes
    /// after it (`[Europe/Berlin]`), or without separators (`20240102T030405Z`). A number, also as a text, counts from 1970:
    /// seconds below 10^11, milliseconds below 10^14, microseconds below 10^17, else nanoseconds. An object is a date of MongoDB
    /// (`$date`), or has seconds and perhaps nanoseconds.
    public static func moment(of value: JSONValue) -> Timestamp? {
        switch value {
        case .number(let number): moment(number)
        case .string(let text): moment(text)
        case .object(let members): moment(members)
        default: nil
        }
    }

    /// The first date with a time of the day among other words, or a number of today's size that begins them or follows `Time:`;
    /// nil where there is none.
    static func moment(in text: String) -> Timestamp? {
        let bytes = Array(text.utf8)
        let first = bytes.firstIndex { !" \t[(".utf8.contains($0) }
        for start in bytes.indices where TimeWords.isWord(bytes[start]) {
            guard start == 0 || !TimeWords.isWord(bytes[start - 1]) else { continue }
            var words = TimeWords(bytes, start)
            if let moment = words.moment(), words.hasTimeOfDay { return moment }
            // As consoles of Kafka write it: 'CreateTime:1700000000000'.
            guard start == first || bytes[..<start].suffix(5).elementsEqual("Time:".utf8) else { continue }
            let number = bytes[start...].prefix { TimeWords.isDigit($0) || $0 == UInt8(ascii: ".") }
            guard number.count >= 10 else { continue }
            if let moment = moment(String(decoding: number, as: UTF8.self)), isToday(moment) { return moment }
        }
        return nil
    }

    /// From 2001 to 2100: a number of another size is rather a count.
    static func isToday(_ moment: Timestamp) -> Bool {
        (978_307_200_000_000...4_102_444_800_000_000).contains(moment.microseconds)
    }

    private static func moment(_ number: JSONNumber) -> Timestamp? {
        if let whole = number.integerValue {
            let size = whole.magnitude
            if size < 100_000_000_000 { return inRange(whole * 1_000_000) }
            if size < 100_000_000_000_000 { return inRange(whole * 1000) }
            return inRange(size < 100_000_000_000_000_000 ? whole : whole / 1000)
        }
        let value = number.doubleValue
        let size = value.magnitude
        let factor = size < 1e11 ? 1e6 : size < 1e14 ? 1e3 : size < 1e17 ? 1 : 1e-3
        let microseconds = (value * factor).rounded()
        guard microseconds.magnitude < 9e18 else { return nil }
        return inRange(Int(microseconds))
    }

    /// A moment of the years that RFC 3339 can write; numbers outside them are not times and mean something else.
    private static func inRange(_ microseconds: Int) -> Timestamp? {
        (-62_167_219_200_000_000..<253_402_300_800_000_000).contains(microseconds)
            ? Timestamp(microseconds: microseconds) : nil
    }

    private static func moment(_ text: String) -> Timestamp? {
        if let moment = Timestamp(text) { return moment }
        if let number = try? JSONParser.parse(text).number { return moment(number) }
        let bytes = Array(text.utf8)
        if bytes.starts(with: dotNet), bytes.last == UInt8(ascii: "/") {
            let digits = bytes.dropFirst(dotNet.count).prefix { $0 == UInt8(ascii: "-") || TimeWords.isDigit($0) }
            return moment(String(decoding: digits, as: UTF8.self), times: 1000)
        }
        guard let start = bytes.firstIndex(where: { $0 != UInt8(ascii: " ") }) else { return nil }
        var words = TimeWords(bytes, start)
        guard let moment = words.moment(), words.endsHere() else { return nil }
        return moment
    }

    /// As in `/Date(1700000000000)/`.
    private static let dotNet = Array("/Date(".utf8)
    private static let seconds = ["seconds", "_seconds", "secs", "sec", "secs_since_epoch"]
    private static let nanoseconds = [
        "nanos", "nanoseconds", "_nanoseconds", "nsecs", "nsec", "nanosec", "nanos_since_epoch",
    ]

    private static func moment(_ members: JSONObject) -> Timestamp? {
        if let date = members["$date"] {
            let milliseconds = date.object?["$numberLong"]?.string ?? date.number?.text
            return milliseconds.map { moment($0, times: 1000) } ?? moment(of: date)
        }
        if let time = members["$timestamp"]?.object?["t"] { return moment(of: time) }
        let value = seconds.lazy.compactMap { members[$0] }.first
        guard let whole = moment(value?.string ?? value?.number?.text ?? "", times: 1_000_000) else { return nil }
        let rest = nanoseconds.lazy.compactMap { members[$0]?.number?.integerValue }.first ?? 0
        return (0..<1_000_000_000).contains(rest) ? inRange(whole.microseconds + rest / 1000) : nil
    }

    private static func moment(_ digits: String, times factor: Int) -> Timestamp? {
        guard let value = Int(digits) else { return nil }
        let (microseconds, isTooLarge) = value.multipliedReportingOverflow(by: factor)
        return isTooLarge ? nil : inRange(microseconds)
    }
}

/// The words of a date, a time of the day and a zone, read from front to back.
private struct TimeWords {
    private(set) var hasTimeOfDay = false
    private let bytes: [UInt8]
    private var place: Int
    private var hasZone = false

    init(_ bytes: [UInt8], _ place: Int) { (self.bytes, self.place) = (bytes, place) }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    static func isWord(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) }

    mutating func moment() -> Timestamp? {
        guard let date = date() else { return nil }
        var (year, clock, offset) = (date.year, 0, 0)
        let end = place
        take("Tt _:,", atMost: 2)
        if let time = timeOfDay() {
            (clock, hasTimeOfDay) = (time, true)
            offset = zone()
            // 'Tue Jan  2 03:04:05 2024'
            if year == nil {
                take(" ", atMost: 1)
                year = number(4...4)
            }
        } else {
            place = end
        }
        guard let year, (1...12).contains(date.month), date.day >= 1,
            date.day <= CivilDate.dayCount(year: year, month: date.month)
        else { return nil }
        let day = CivilDate(year: year, month: date.month, day: date.day).dayNumber
        return Timestamp(microseconds: (day * 86_400 - offset * 60) * 1_000_000 + clock)
    }

    /// Whether nothing follows but what says the zone once more: `[Europe/Berlin]`, `(Central European Time)`, `m=+0.01`.
    mutating func endsHere() -> Bool {
        take(" ", atMost: 4)
        let rest = bytes[place...]
        if rest.isEmpty { return true }
        if rest.first == UInt8(ascii: "["), rest.last == UInt8(ascii: "]") {
            return hasZone || ["[UTC]", "[GMT]", "[Z]", "[Etc/UTC]"].contains(String(decoding: rest, as: UTF8.self))
        }
        return hasZone
            && (rest.first == UInt8(ascii: "(") && rest.last == UInt8(ascii: ")") || rest.starts(with: "m=".utf8))
    }

    // MARK: Parts

    private mutating func date() -> (year: Int?, month: Int, day: Int)? {
        var word = letters()
        if let name = word, Self.days.contains(String(name.prefix(3))) {
            take(", ", atMost: 2)
            word = letters()
        }
        if let word {
            guard let month = Self.month(word), take(" ", atMost: 2), let day = number(1...2) else { return nil }
            let end = place
            take(", ", atMost: 2)
            let year = number(4...4)
            if year == nil { place = end }
            return (year, month, day)
        }
        let length = bytes[place...].prefix(while: Self.isDigit).count
        if length == 8 || length == 14, let year = digits(4), let month = digits(2), let day = digits(2) {
            return (year, month, day)
        }
        if let year = number(4...4) {
            guard take("-/.", atMost: 1), let month = number(1...2), take("-/.", atMost: 1), let day = number(1...2)
            else { return nil }
            return (year, month, day)
        }
        guard let day = number(1...2), take(" -/", atMost: 1), let month = letters().flatMap(Self.month),
            take(" -/", atMost: 1), let year = number(2...4)
        else { return nil }
        return (year < 70 ? 2000 + year : year < 100 ? 1900 + year : year, month, day)
    }

    /// Microseconds since midnight.
    private mutating func timeOfDay() -> Int? {
        let length = bytes[place...].prefix(while: Self.isDigit).count
        let hour = length == 6 || length == 4 ? digits(2) : number(1...2)
        guard var hour, take(":", atMost: 1) || length > 2, let minute = digits(2) else { return nil }
        var (second, microseconds) = (0, 0)
        if take(":", atMost: 1) || length == 6 {
            guard let whole = digits(2) else { return nil }
            second = whole
            if place + 1 < bytes.count, ".,".utf8.contains(bytes[place]), Self.isDigit(bytes[place + 1]) {
                let fraction = bytes[(place + 1)...].prefix(while: Self.isDigit)
                place = fraction.endIndex
                for digit in (fraction + Array("00000".utf8)).prefix(6) {
                    microseconds = microseconds * 10 + Int(digit) - 0x30
                }
            }
        }
        let end = place
        take(" ", atMost: 1)
        switch letters() {
        case "am": hour = hour == 12 ? 0 : hour
        case "pm": hour = hour < 12 ? hour + 12 : hour
        default: place = end
        }
        guard hour < 24, minute < 60, second <= 60 else { return nil }
        return ((hour * 60 + minute) * 60 + second) * 1_000_000 + microseconds
    }

    /// Minutes east of UTC; 0 where no zone follows.
    private mutating func zone() -> Int {
        let start = place
        take(" ", atMost: 1)
        let word = letters()
        let named = word.flatMap { Self.zones[$0] }
        if word == nil || named == 0, let offset = offset() {
            hasZone = true
            // '+0000 UTC'
            let end = place
            take(" ", atMost: 1)
            if letters().flatMap({ Self.zones[$0] }) == nil { place = end }
            return offset
        }
        hasZone = named != nil
        if named == nil { place = start }
        return named ?? 0
    }

    private mutating func offset() -> Int? {
        let start = place
        guard take("+-", atMost: 1), let hours = digits(2), hours < 24 else {
            place = start
            return nil
        }
        let end = place
        take(":", atMost: 1)
        var minutes = digits(2) ?? 60
        if minutes >= 60 { (minutes, place) = (0, end) }
        return (hours * 60 + minutes) * (bytes[start] == UInt8(ascii: "-") ? -1 : 1)
    }

    @discardableResult
    private mutating func take(_ signs: String, atMost limit: Int) -> Bool {
        let start = place
        while place < bytes.count, place < start + limit, signs.utf8.contains(bytes[place]) { place += 1 }
        return place > start
    }

    private mutating func digits(_ count: Int) -> Int? {
        let found = bytes[place...].prefix(count)
        guard found.count == count, found.allSatisfy(Self.isDigit) else { return nil }
        place += count
        return found.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }

    private mutating func number(_ lengths: ClosedRange<Int>) -> Int? {
        let length = bytes[place...].prefix(while: Self.isDigit).count
        return lengths.contains(length) ? digits(length) : nil
    }

    private mutating func letters() -> String? {
        let found = bytes[place...].prefix(while: Self.isLetter)
        place = found.endIndex
        return found.isEmpty ? nil : String(decoding: found, as: UTF8.self).lowercased()
    }

    private static func month(_ word: String) -> Int? {
        months.firstIndex(of: String(word.prefix(3))).map { $0 + 1 }
    }

    private static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    /// In minutes: those of RFC 822, and those of Europe, whose names have one meaning.
    private static let zones = [
        "z": 0, "utc": 0, "gmt": 0, "ut": 0, "wet": 0, "west": 60, "cet": 60, "cest": 120, "eet": 120, "eest": 180,
        "est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420,
    ]
}

/// Places in a source as other programs write them.
public enum SourcePlaceText {
    /// The place that a value stands for; nil where it is none.
    ///
    /// A text is `file`, `file:line` or `file:line:column`, or a stack of JavaScript over several lines; an object has a member `file`, `filename` or `path`, and perhaps
    /// `line`, `lineno` or `lineNumber`, `column`, and `function`, `func` or `method`. A line that is not said is 0.
    public static func location(of value: JSONValue) -> SourceLocation? {
        switch value {
        case .string(let text) where text.utf8.contains(UInt8(ascii: "\n")): StackFrame.first(of: text)
        case .string(let text) where !text.isEmpty: location(text)
        case .object(let members): location(members)
        default: nil
        }
    }

    private static func location(_ text: String) -> SourceLocation {
        text.withBytes { bytes in
            func text(_ range: Range<Int>) -> String { String(decoding: bytes.extracting(range), as: UTF8.self) }
            var (end, line, column) = (bytes.count, Int?.none, Int?.none)
            while column == nil, let colon = bytes.extracting(..<end).lastIndex(of: UInt8(ascii: ":")),
                let number = Int(text(colon + 1..<end)), number >= 0
            {
                (line, column, end) = (number, line, colon)
            }
            return SourceLocation(file: text(0..<end), line: line ?? 0, column: column ?? 1, function: "")
        }
    }

    private static func location(_ members: JSONObject) -> SourceLocation? {
        let file = ["file", "filename", "fileName", "path"].lazy.compactMap { members[$0]?.string }.first
        guard let file else { return nil }
        func number(_ names: [String]) -> Int? {
            names.lazy.compactMap { members[$0]?.number?.integerValue ?? members[$0]?.string.flatMap { Int($0) } }.first
        }
        let function = ["function", "func", "method", "name"].lazy.compactMap { members[$0]?.string }.first
        return SourceLocation(
            file: file, line: number(["line", "lineno", "lineNumber"]) ?? 0,
            column: number(["column", "col", "columnNumber"]) ?? 1, function: function ?? "")
    }
}
