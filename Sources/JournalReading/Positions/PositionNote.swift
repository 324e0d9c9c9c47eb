public import JournalFormat

/// What a person has to know of a position that was found, because the text could have meant another one too.
public enum PositionNote: Sendable, Equatable {
    /// Several marks contain the text; the first was taken.
    case oneOfSeveralMarks(String, taken: CommitNumber, count: Int)
    /// A mark contains the number as it was typed; it was taken for the mark of that number.
    case numberInMark(String, Int, taken: CommitNumber)
    /// The run saw that time of day more than once; the first was taken.
    case oneOfSeveralDays(TypedTime, taken: Timestamp)

    /// The note in words.
    public var text: String {
        switch self {
        case .oneOfSeveralMarks(let text, let taken, let count):
            "\(count) marks contain '\(text)': the first was taken, at commit \(taken); 'mark:\(text)#2' is the second"
        case .numberInMark(let text, let number, let taken):
            "'#\(number)' was taken for the mark of that number, at commit \(taken); "
                + "'mark:\(text)#\(number)#1' is the first that contains '\(text)#\(number)'"
        case .oneOfSeveralDays(let time, let taken):
            "the run goes on for over a day, '\(time.text)' was taken for \(taken.text)"
        }
    }
}
