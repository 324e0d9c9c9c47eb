import JSONCore
import JournalFormat
import JournalReading
import Testing

@testable import TimeTravel

/// What the states of a redacted journal must be, made from the states alone.
struct RedactionExpectation {
    static let key = RedactionKey([1, 2, 3])

    /// The texts that must be nowhere.
    let secrets: [String]
    private let values: RedactedValues

    /// - Parameter states: those of the journal; what they have at the paths must be among the texts.
    init(_ journal: Journal, _ paths: [PathSteps], states: [Int: JSONValue]) throws {
        var matcher = PathMatcher(paths)
        if matcher.isMatch(matcher.root) { matcher = PathMatcher([PathSteps([.one])]) }
        values = RedactedValues(matcher, RedactionExpectation.key)
        var survey = RedactionSurvey(matcher, paths)
        try survey.read(journal)
        var found = SecretTexts()
        for state in states.values {
            for path in matcher.matches(in: state) { path.value(in: state).map { found.collect($0) } }
        }
        #expect(found.texts.isSubset(of: survey.secrets.texts))
        secrets = survey.secrets.texts.map { String(decoding: $0, as: UTF8.self) }
    }

    private func text(_ text: String) -> String {
        secrets.contains { UTF8Order.equal($0, text) } ? values.mark(text) : text
    }

    private func masked(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool, .number: value
        case .string(let string): .string(text(string))
        case .array(let elements): .array(elements.map(masked))
        case .object(let members):
            value.isRedacted ? value : .object(JSONObject(members.map { (text($0.key), masked($0.value)) }))
        }
    }

    /// What becomes of a state.
    func state(_ state: JSONValue) -> JSONValue { masked(values.redacted(state, at: [])) }
}
