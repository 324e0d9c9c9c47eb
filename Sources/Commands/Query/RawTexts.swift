import CommandLine
import JSONCore

/// An input that is taken as text: a string for each line, or one for all of it.
struct RawTexts: InputTexts {
    var bytes: [UInt8] = []
    private let isWhole: Bool
    private var taken = 0
    /// How far no end of a line was found, so that a long line is not looked through again with each piece.
    private var searched = 0
    private var isComplete = false

    init(isWhole: Bool) { self.isWhole = isWhole }

    mutating func finish() { isComplete = true }

    mutating func discardTaken() {
        bytes.removeFirst(taken)
        searched = max(0, searched - taken)
        taken = 0
    }

    mutating func next() throws(JSONTexts.Failure) -> JSONValue? {
        let end = isWhole ? nil : bytes[max(taken, searched)...].firstIndex(of: UInt8(ascii: "\n"))
        if end == nil {
            searched = bytes.count
            guard bytes.count - taken <= JSONTexts.lengthLimit else { throw .tooLong }
            guard isComplete, taken < bytes.count else { return nil }
        }
        let text = String(decoding: bytes[taken..<(end ?? bytes.count)], as: UTF8.self)
        taken = end.map { $0 + 1 } ?? bytes.count
        return .string(text)
    }
}
