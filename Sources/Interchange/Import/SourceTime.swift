public import JSONCore
public import JournalFormat

/// Times as other programs write them.
public enum SourceTime {
    /// The moment that a value stands for; nil where it is none.
    ///
    /// A text is RFC 3339; without a zone it is taken as UTC, and a comma, a space, slashes or a zone without a colon are as
    /// good. A number, also as a text, counts from 1970: seconds below 10^11, milliseconds below 10^14, microseconds below
    /// 10^17, else nanoseconds.
    public static func moment(of value: JSONValue) -> Timestamp? {
        switch value {
        case .number(let number): moment(number)
        case .string(let text): moment(text)
        default: nil
        }
    }

    /// The first date with a time of the day among other words, or a number of today's size that begins them; nil where
    /// there is none.
    static func moment(in text: String) -> Timestamp? {
        let bytes = Array(text.utf8)
        func isDigit(_ place: Int) -> Bool { bytes.indices.contains(place) && (48...57).contains(bytes[place]) }
        func isAny(_ place: Int, _ signs: String) -> Bool {
            bytes.indices.contains(place) && signs.utf8.contains(bytes[place])
        }
        for start in bytes.indices where isDigit(start) && !isDigit(start - 1) {
            var end = start
            let isDate = "0000-00-00T00:00:00".utf8.enumerated().allSatisfy { offset, sign in
                let place = start + offset
                return switch sign {
                case UInt8(ascii: "0"): isDigit(place)
                case UInt8(ascii: "-"): isAny(place, "-/")
                case UInt8(ascii: "T"): isAny(place, "Tt _")
                default: isAny(place, ":")
                }
            }
            if isDate {
                end = start + 19
                if isAny(end, ".,"), isDigit(end + 1) { end += 1 }
                while isDigit(end) { end += 1 }
                let zone = isAny(end, " ") ? end + 1 : end
                if isAny(zone, "Zz") {
                    end = zone + 1
                } else if isAny(zone, "+-"), isDigit(zone + 1), isDigit(zone + 2) {
                    end = zone + 3
                    if isAny(end, ":"), isDigit(end + 1) { end += 1 }
                    while isDigit(end), end < zone + 6 { end += 1 }
                }
            } else {
                while isDigit(end) || isAny(end, ".") && isDigit(end + 1) { end += 1 }
                guard end - start >= 10, start == bytes.firstIndex(where: { !" \t[(".utf8.contains($0) }) else {
                    continue
                }
            }
            let word = String(decoding: bytes[start..<end], as: UTF8.self)
            let moment = moment(word.replacing("_", with: "T"))
            if let moment, isDate || isToday(moment) { return moment }
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
        var plain = text.map { $0 == "," ? "." : $0 }
        // 'YYYY-MM-DD' and 'YYYY/MM/DD' are ten characters; the time of the day follows.
        guard plain.count >= 19 else { return nil }
        for place in [4, 7] where plain[place] == "/" { plain[place] = "-" }
        let zone = plain[19...].firstIndex { !"0123456789.".contains($0) }
        guard let zone else { return Timestamp(String(plain) + "Z") }
        let offset = plain[zone...].filter { $0 != " " && $0 != ":" }
        let isOffset = [3, 5].contains(offset.count) && (offset.first == "+" || offset.first == "-")
        let minutes = offset.count == 5 ? String(offset[3...]) : "00"
        let ending = isOffset ? String(offset[..<3]) + ":" + minutes : offset == ["Z"] ? "Z" : nil
        return ending.flatMap { Timestamp(String(plain[..<zone]) + $0) }
    }
}

/// Places in a source as other programs write them.
public enum SourcePlaceText {
    /// The place that a value stands for; nil where it is none.
    ///
    /// A text is `file`, `file:line` or `file:line:column`; an object has a member `file`, `filename` or `path`, and perhaps
    /// `line`, `lineno` or `lineNumber`, `column`, and `function`, `func` or `method`. A line that is not said is 0.
    public static func location(of value: JSONValue) -> SourceLocation? {
        switch value {
        case .string(let text) where !text.isEmpty: location(text)
        case .object(let members): location(members)
        default: nil
        }
    }

    private static func location(_ text: String) -> SourceLocation {
        var parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var numbers: [Int] = []
        while parts.count > 1, numbers.count < 2, let last = parts.last, let number = Int(last), number >= 0 {
            numbers.insert(number, at: 0)
            parts.removeLast()
        }
        return SourceLocation(
            file: parts.joined(separator: ":"), line: numbers.first ?? 0, column: numbers.count > 1 ? numbers[1] : 1,
            function: "")
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
