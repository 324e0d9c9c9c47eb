import JSONCore

/// A record that made something bad, as a SARIF result: where, and how the state came to be so.
struct SarifFinding {
    /// The rule, by its name and its place among the rules.
    let rule: String
    let ruleIndex: Int
    /// The journal, as it was typed.
    let journal: String
    /// What is said.
    let message: String
    /// Where the record was made.
    let place: SourcePlace?
    /// The records on the way, the one that is found last.
    let history: [CheckedJournal.HistoryStep]
    /// Facts for programs.
    let properties: JSONValue

    /// The result object.
    func json(_ places: SarifPlace) -> JSONValue {
        .members([
            "ruleId": .string(rule), "ruleIndex": .number(ruleIndex), "level": .string("error"),
            "message": .members(["text": .string(SarifText.message(message))]),
            "locations": .array([places.location(place, journal: journal)]),
            "partialFingerprints": .members(["ruleAndPlace/v1": .string(fingerprint)]),
            "codeFlows": history.isEmpty ? nil : .array([flow(places)]),
            "properties": properties,
        ])
    }

    /// Identifies a finding across runs in which one line of source does one thing: it leaves out the line's number,
    /// which moves.
    private var fingerprint: String {
        [rule, place?.file ?? "", place?.function ?? ""].joined(separator: "|")
    }

    private func flow(_ places: SarifPlace) -> JSONValue {
        let steps = history.enumerated().map { index, step in self.step(step, index, places) }
        return .members(["threadFlows": .array([.members(["locations": .array(steps)])])])
    }

    private func step(_ step: CheckedJournal.HistoryStep, _ index: Int, _ places: SarifPlace) -> JSONValue {
        var state = JSONObject()
        for (path, value) in step.state { state[path] = .members(["text": .string(SarifText.message(value))]) }
        let message = ([ViolationText.title(step.record)] + ViolationText.changes(step.record)).joined(separator: "\n")
        return .members([
            "location": places.location(step.place, journal: journal, message: message),
            "state": .object(state), "executionOrder": .number(index + 1),
            "importance": .string(index == history.count - 1 ? "essential" : "important"),
            "properties": .members(["seq": .number(step.record.seq), "time": .string(step.record.time)]),
        ])
    }
}
