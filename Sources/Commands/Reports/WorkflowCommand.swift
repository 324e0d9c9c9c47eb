/// A line that the runner of GitHub workflows takes for a command: `::error file=…,line=…,col=…,title=…::message`.
///
/// Values are escaped as the runner's toolkit does (`escapeData` and `escapeProperty` of `@actions/core`), so that nothing of
/// a journal can end the line or a property and begin a command of its own.
struct WorkflowCommand {
    private let name: String
    private var properties: [(name: String, value: String)] = []

    init(_ name: String) { self.name = name }

    mutating func set(_ name: String, _ value: String?) {
        if let value { properties.append((name, value)) }
    }

    func line(_ message: String) -> String {
        let listed = properties.map { $0.name + "=" + Self.escapedProperty($0.value) }.joined(separator: ",")
        return "::" + name + (listed.isEmpty ? "" : " " + listed) + "::" + Self.escaped(message)
    }

    /// A message: what would end the line is written in percents.
    static func escaped(_ text: String) -> String { escaped(text) { _ in nil } }

    /// A property: so is what would end the property.
    static func escapedProperty(_ text: String) -> String {
        escaped(text) { scalar in scalar == ":" ? "%3A" : scalar == "," ? "%2C" : nil }
    }

    private static func escaped(_ text: String, _ more: (Unicode.Scalar) -> String?) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": result += "%25"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            default: more(scalar).map { result += $0 } ?? result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
