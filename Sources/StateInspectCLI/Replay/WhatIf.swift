import JSONCore
import JournalFormat
import QueryLanguage
import TimeTravel

/// Which commits a replay leaves out, as if they had not been.
struct WhatIf {
    /// Commits by number.
    let without: CommitList

    /// A commit stays only where this holds of the state that it makes.
    let only: ScopedQuery?

    /// What was typed; nil where every commit stays.
    init?(_ typed: TypedArguments, _ scope: StoreScope) throws {
        guard typed.has(.without) || typed.has(.only) else { return nil }
        without = try typed.value(.without).map { try CommitList(parsing: $0) } ?? CommitList()
        only = try typed.value(.only).map { try ScopedQuery($0, name: "--only", scope: scope, asks: .condition) }
    }

    /// A commit whose patch no longer applies without those left out.
    struct Conflict {
        let seq: CommitNumber
        let record: JSONObject
        let message: String

        /// The conflict as an answer.
        var answer: Answer {
            var answer = Answer(.conflict)
            answer.set("seq", seq.rawValue)
            answer.set("store", record["store"] ?? .null)
            answer.set("time", record["time"] ?? .null)
            answer.set("at", record["at"] ?? .null)
            answer.set("message", message)
            return answer
        }
    }
}

extension AnswerDefinition {
    static let conflict = AnswerDefinition(
        "conflict", "a commit whose patch does not apply where others had not been; it is left out",
        [
            .always("seq", "the number of the commit"),
            .always("store", "its store"),
            .always("time", "when the record was made, null where there is none"),
            .always("at", "the place in the source of the record, null where it has none"),
            .always("message", "why it does not apply"),
        ])
}
