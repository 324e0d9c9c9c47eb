import CommandLine
import JSONCore

extension Finding.Result {
    func sarif(of rule: FindingRule, _ index: Int, in journal: String, _ places: SarifPlace) -> JSONValue {
        let message = ([heading] + details).joined(separator: "\n")
        // Identifies a finding across runs in which one line of source does one thing: the line's number is left out, as it
        // moves.
        let fingerprint = [rule.id, place?.file ?? "", place?.function ?? ""].joined(separator: "|")
        let steps = history.enumerated().map { sarif($1, $0, in: journal, places) }
        let flow = JSONValue.members(["threadFlows": .array([.members(["locations": .array(steps)])])])
        return .members([
            "ruleId": .string(rule.id), "ruleIndex": .number(index), "level": .string("error"),
            "message": .members(["text": .string(SarifText.message(message))]),
            "locations": .array([places.location(place, journal: journal)]),
            "partialFingerprints": .members(["ruleAndPlace/v1": .string(fingerprint)]),
            "codeFlows": steps.isEmpty ? nil : .array([flow]),
            "properties": properties,
        ])
    }

    private func sarif(
        _ step: Finding.HistoryStep, _ index: Int, in journal: String, _ places: SarifPlace
    ) -> JSONValue {
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
