public import JSONCore
public import JournalFormat

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
