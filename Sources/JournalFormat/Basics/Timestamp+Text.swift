package import JSONCore

extension Timestamp {
    /// The length of the journal's form: `2026-11-21T04:53:17.000123Z`.
    package static let textLength = 27

    /// The journal's form: RFC 3339, UTC, six fractional digits, `Z`.
    ///
    /// A moment outside the years 0000 to 9999, which RFC 3339 cannot write, is moved to the nearest one inside.
    public var text: String {
        ByteView.withTemporaryBytes(Timestamp.textLength, { write(into: &$0) }) { String(decoding: $0, as: UTF8.self) }
    }

    /// The second since 1970 and what is left of it, of the moment that ``text`` writes.
    var parts: (second: Int, microseconds: Int) {
        let (second, rest) = min(max(self, .earliest), .latest).microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return rest < 0 ? (second - 1, rest + 1_000_000) : (second, rest)
    }

    /// Writes ``text`` into the first 27 bytes of a buffer, and returns where these are.
    package func write(into buffer: inout MutableSpan<UInt8>) -> Range<Int> {
        let moment = min(max(self, .earliest), .latest).microseconds
        var day = moment / Timestamp.microsecondsPerDay
        var rest = moment % Timestamp.microsecondsPerDay
        if rest < 0 {
            day -= 1
            rest += Timestamp.microsecondsPerDay
        }
        let date = CivilDate(dayNumber: day)
        let second = rest / 1_000_000
        func put(_ value: Int, digits: Int, at place: Int, then separator: Unicode.Scalar) {
            var value = value
            for index in stride(from: place + digits - 1, through: place, by: -1) {
                buffer[index] = UInt8(truncatingIfNeeded: 48 + value % 10)
                value /= 10
            }
            buffer[place + digits] = UInt8(ascii: separator)
        }
        put(date.year, digits: 4, at: 0, then: "-")
        put(date.month, digits: 2, at: 5, then: "-")
        put(date.day, digits: 2, at: 8, then: "T")
        put(second / 3600, digits: 2, at: 11, then: ":")
        put(second / 60 % 60, digits: 2, at: 14, then: ":")
        put(second % 60, digits: 2, at: 17, then: ".")
        put(rest % 1_000_000, digits: 6, at: 20, then: "Z")
        return 0..<Timestamp.textLength
    }

    /// Reads a time of RFC 3339, in any of its forms: any number of fractional digits (cut after six), an offset or `Z`.
    ///
    /// A leap second (`:60`) is the first moment of the next minute. Returns nil for anything else.
    public init?(_ text: String) {
        guard let read = text.withBytes({ Timestamp(bytes: $0) }) else { return nil }
        self = read
    }

    /// Reads a time of RFC 3339 (section 5.6) from its bytes.
    package init?(bytes: ByteView) {
        var reader = TimeTextReader(bytes: bytes)
        guard let moment = reader.moment() else { return nil }
        self.init(microseconds: moment)
    }
}

/// Walks the text of one RFC 3339 time.
package struct TimeTextReader {
    package let bytes: ByteView
    package var place = 0

    package init(bytes: ByteView) { self.bytes = bytes }

    /// The whole text as microseconds since 1970, nil if it is not a time.
    mutating func moment() -> Int? {
        guard let day = date(), take("T") || take("t") || take(" "), let time = timeOfDay(), let offset = offset(),
            place == bytes.count
        else { return nil }
        return day * Timestamp.microsecondsPerDay + time - offset
    }

    /// The day since 1970 of `2026-11-21`.
    package mutating func date() -> Int? {
        guard let year = number(digits: 4), take("-"), let month = number(digits: 2), (1...12).contains(month),
            take("-"), let day = number(digits: 2), day >= 1, day <= CivilDate.dayCount(year: year, month: month)
        else { return nil }
        return CivilDate(year: year, month: month, day: day).dayNumber
    }

    /// Microseconds since midnight of `12:00:03.482`.
    package mutating func timeOfDay() -> Int? {
        guard let hour = number(digits: 2), hour < 24, take(":"), let minute = number(digits: 2), minute < 60,
            take(":"),
            let second = number(digits: 2), second <= 60, let fraction = fraction()
        else { return nil }
        return ((hour * 60 + minute) * 60 + second) * 1_000_000 + fraction
    }

    /// Microseconds of `.123`, 0 where there is no fraction.
    mutating func fraction() -> Int? {
        guard take(".") else { return 0 }
        var value = 0
        var weight = 100_000
        let start = place
        while place < bytes.count, let digit = digit(bytes[place]) {
            value += digit * weight
            weight /= 10
            place += 1
        }
        return place > start ? value : nil
    }

    /// Microseconds east of UTC.
    package mutating func offset() -> Int? {
        if take("Z") || take("z") { return 0 }
        let sign: Int
        if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
        guard let hour = number(digits: 2), hour < 24, take(":"), let minute = number(digits: 2), minute < 60 else {
            return nil
        }
        return sign * (hour * 60 + minute) * 60_000_000
    }

    package mutating func number(digits: Int) -> Int? {
        guard bytes.count - place >= digits else { return nil }
        var value = 0
        for _ in 0..<digits {
            guard let digit = digit(bytes[place]) else { return nil }
            value = value * 10 + digit
            place += 1
        }
        return value
    }

    private func digit(_ byte: UInt8) -> Int? {
        byte >= 48 && byte <= 57 ? Int(byte) - 48 : nil
    }

    package mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }
}
