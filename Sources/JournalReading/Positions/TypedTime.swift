internal import JSONCore
import JournalFormat

/// A time as a person types it: of RFC 3339, but date, seconds and zone may be left out, as where `log` prints times.
///
/// Without a zone it is UTC, as a journal's times are. A fraction of three digits stands for its whole millisecond, because
/// `log` cuts times to that: what it prints names the commit that it is printed for.
public struct TypedTime: Sendable, Equatable {
    /// The time as it was typed.
    public let text: String
    /// The day since 1970, nil where no date was typed.
    private let day: Int?
    /// Microseconds since midnight UTC, within the day where no date was typed.
    private let sinceMidnight: Int

    /// Reads `12:01:10`, `12:01:10.250`, `2026-03-01T12:01:10`, `2026-03-01 12:01+01:00` and the like; nil for anything else.
    public init?(parsing text: String) {
        let parts = text.withBytes { bytes in
            var reader = TimeTextReader(bytes: bytes)
            return reader.typedTime()
        }
        guard let parts else { return nil }
        self.text = text
        day = parts.day
        sinceMidnight =
            parts.day == nil ? TypedTime.modulo(parts.sinceMidnight, Timestamp.microsecondsPerDay) : parts.sinceMidnight
    }

    var hasNoDate: Bool { day == nil }

    /// The moment; of a time without a date the first one that is not before `first`.
    func moment(notBefore first: Timestamp) -> Timestamp {
        let perDay = Timestamp.microsecondsPerDay
        if let day { return Timestamp(microseconds: day * perDay + sinceMidnight) }
        let moment = first.microseconds - TypedTime.modulo(first.microseconds, perDay) + sinceMidnight
        return Timestamp(microseconds: moment < first.microseconds ? moment + perDay : moment)
    }

    private static func modulo(_ number: Int, _ divisor: Int) -> Int {
        let rest = number % divisor
        return rest < 0 ? rest + divisor : rest
    }
}

extension TimeTextReader {
    fileprivate mutating func typedTime() -> (day: Int?, sinceMidnight: Int)? {
        let day = date()
        if day == nil { place = 0 } else if !(take("T") || take("t") || take(" ")) { return nil }
        guard let time = typedTimeOfDay() else { return nil }
        guard place < bytes.count else { return (day, time) }
        guard let offset = offset(), place == bytes.count else { return nil }
        return (day, time - offset)
    }

    private mutating func typedTimeOfDay() -> Int? {
        let start = place
        if let time = timeOfDay() {
            let digits = bytes[start..<place].lastIndex(of: UInt8(ascii: ".")).map { place - $0 - 1 }
            return digits == 3 ? time + 999 : time
        }
        place = start
        guard let hour = number(digits: 2), hour < 24, take(":"), let minute = number(digits: 2), minute < 60,
            !take(":")
        else { return nil }
        return (hour * 60 + minute) * 60_000_000
    }
}
