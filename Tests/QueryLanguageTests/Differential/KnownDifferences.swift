import Foundation
import JSONCore

@testable import QueryLanguage

/// Where this language and a version of jq differ, each with the reason.
enum KnownDifferences {
    private struct Rule {
        /// The versions of jq that differ, as minor numbers.
        var versions: ClosedRange<Int>
        var reason: String
        var applies: @Sendable (Difference) -> Bool

        init(_ versions: ClosedRange<Int>, _ reason: String, _ applies: @escaping @Sendable (Difference) -> Bool) {
            (self.versions, self.reason, self.applies) = (versions, reason, applies)
        }
    }

    /// An evaluation whose results differ.
    struct Difference {
        let program: String
        let input: String
        let ours: String
        let theirs: String
    }

    private static let rules: [Rule] = [
        Rule(6...8, "jq loses the path on its way through reduce, foreach and last(f)") {
            $0.program.contains("reduce (\"user\", \"name\")")
        },
        Rule(6...8, "jq finds an empty match at each byte of a character, not at each character") {
            guard !($0.program + $0.input).utf8.allSatisfy({ $0 < 0x80 }) else { return false }
            return contains($0.program, any: "gsub(\"\"", "gsub(\"$\"", "\"x*\"", "\"a|b|\"")
        },
        Rule(6...8, "exp10 is exact for whole powers here; the C library's is not") { $0.program.contains("exp10") },
        Rule(6...8, "jq makes minus zero of a computed zero, not of one that is read") {
            text(withoutMinusZero: $0.ours) == text(withoutMinusZero: $0.theirs)
        },
        Rule(6...6, "the messages of failed indexing have had parentheses since 1.7") {
            $0.theirs.contains("Cannot index") && $0.ours.contains("Cannot index")
        },
        Rule(6...6, "numbers keep their text since 1.7") {
            $0.ours.contains("9007199254740993") || $0.theirs.contains("9007199254740992")
                || ($0.input.contains("9007199254740993")
                    && contains($0.program, any: "@base", "@json", "tojson", "tostring"))
        },
        Rule(6...6, "null is an error like any other since 1.7") {
            contains($0.program, any: "error(", "null | try error")
                || ($0.program.contains("error") && $0.ours.contains("null"))
        },
        Rule(6...6, "'|= f?' deleted what it updated before 1.7") {
            $0.program.contains("|=") && contains($0.program, any: "?", "try ")
        },
        Rule(6...6, "'f?' and 'try f' caught the errors of what came after them too, before 1.7") {
            contains($0.program, any: ")?", "]?", "try ")
                && contains($0.ours + $0.theirs, any: "failed", "Cannot", "cannot")
        },
        Rule(6...6, "'try' looked for the mark of 'break' in every error before 1.7") { $0.theirs.contains("__jq") },
        Rule(6...6, "'first(f?)' and a condition that is one go on in 1.6") {
            contains($0.program, any: "first(", "limit(") && contains($0.program, any: "?", "try ")
        },
        Rule(6...6, "messages show less of a value before 1.8") {
            $0.ours.contains("...") && $0.theirs.contains("...")
        },
        Rule(6...6, "'@uri' leaves fewer characters as they are since 1.7") { $0.program.contains("@uri") },
        Rule(6...6, "'-f as $x | g' binds the sum, not its last term, since 1.7") {
            contains($0.program, any: "-2.5 as $", " as $e |")
        },
        Rule(6...6, "'index' counts characters, not bytes, since 1.7") {
            contains($0.program, any: "index(", "indices(") && !($0.program + $0.input).utf8.allSatisfy { $0 < 0x80 }
        },
        Rule(6...8, "jq's 'reduce' has lost its input at a second start value") {
            $0.program.contains("reduce ") && $0.theirs.contains("failed") && !$0.ours.contains("failed")
        },
        Rule(6...6, "a second start value of 'reduce' is lost in 1.6") {
            $0.program.contains("reduce ") && $0.theirs.utf8.count < $0.ours.utf8.count
        },
        Rule(6...6, "a second bound of a slice fails in 1.6") { $0.program.contains(".[:") },
        Rule(6...6, "an empty match at the end of the text counts since 1.7") {
            contains($0.program, any: "match(", "scan(", "splits(", "test(")
                && contains($0.program, any: "\"x*\"", "\"a|b|\"", "\"\"", "\"$\"")
        },
    ]

    private static func text(withoutMinusZero text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.range(of: "-0") {
            let next = rest[start.upperBound...].first
            let isWhole = next.map { !$0.isNumber && $0 != "." } ?? true
            result += rest[..<start.lowerBound] + (isWhole ? "0" : "-0")
            rest = rest[start.upperBound...]
        }
        return result + rest
    }

    private static func contains(_ program: String, any parts: String...) -> Bool {
        parts.contains { program.contains($0) }
    }

    static func reason(_ difference: Difference, _ jq: JQBinary) -> String? {
        rules.first { $0.versions.contains(jq.version) && $0.applies(difference) }?.reason
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
