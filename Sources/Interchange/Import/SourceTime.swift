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
