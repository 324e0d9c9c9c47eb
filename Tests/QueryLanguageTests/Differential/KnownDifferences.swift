import JSONCore

@testable import QueryLanguage

/// Where this language and a version of jq differ, each with the reason.
enum KnownDifferences {
    private struct Rule {
        /// The versions of jq that differ, as minor numbers.
        var versions: ClosedRange<Int>
        var reason: String
        var applies: @Sendable (_ program: String, _ ours: String, _ theirs: String) -> Bool
    }

    private static let rules: [Rule] = [
        Rule(versions: 6...6, reason: "the messages of failed indexing have had parentheses since 1.7") {
            $2.contains("Cannot index") && unparenthesised($1) == unparenthesised($2)
        },
        Rule(versions: 6...6, reason: "numbers keep their text since 1.7") {
            $1.contains("9007199254740993") || $2.contains("9007199254740992")
        },
        Rule(versions: 6...6, reason: "error(null) is an error like any other since 1.7") { program, _, _ in
            program.contains("error(null)")
        },
    ]

    private static func unparenthesised(_ text: String) -> String { text.filter { $0 != "(" && $0 != ")" } }

    static func reason(_ program: String, ours: String, theirs: String, _ jq: JQBinary) -> String? {
        rules.first { $0.versions.contains(jq.version) && $0.applies(program, ours, theirs) }?.reason
    }

    /// A text in the form in which it is compared: before 1.7, numbers as doubles and members in ascending order.
    static func text(_ text: String, _ jq: JQBinary) -> String {
        guard jq.version < 7, let value = try? JSONTextReader.read(text) else { return text }
        return ValueText.json(rounded(value).ascending())
    }

    private static func rounded(_ value: JSONValue) -> JSONValue {
        switch value {
        case .number(let number): Arithmetic.number(number.doubleValue + 0)
        case .array(let elements): .array(elements.map(rounded))
        case .object(let members): .object(JSONObject(members.map { (key: $0.key, value: rounded($0.value)) }))
        default: value
        }
    }
}
