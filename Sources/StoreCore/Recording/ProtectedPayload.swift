internal import JSONCore
internal import JournalFormat
internal import StateEncoding

/// A part of what one case of an action carries that is kept out of a journal.
struct ProtectedPayload: Sendable {
    let action: String
    let position: Redaction.Position?
    let entry: RedactionEntry

    /// An action as Codable encodes it, without this part; another action as it is.
    ///
    /// - Parameters:
    ///   - value: the whole action: `{"otp":{"_0":"x"}}`.
    ///   - type: the action as the journal names it.
    ///   - caseName: the outermost case; nil for an action that is not an enum.
    func redacted(_ value: JSONValue, of type: String, caseName: String?, key: RedactionKey) -> JSONValue {
        guard type == action else { return value }
        // Of an action in an action, and of one with an encoding of its own, it is not known what stands where.
        guard let caseName, type.hasSuffix(".\(caseName)"), case .object(var cases) = value, cases.count == 1,
            case .object(var members)? = cases[caseName], let position,
            let name = member(at: position, in: members), let part = members[name]
        else { return hashed(value, key) }
        members[name] = hashed(part, key)
        cases[caseName] = .object(members)
        return .object(cases)
    }

    /// The member that a position is: the associated values are encoded in their order, without a label as `_0`, `_1`.
    private func member(at position: Redaction.Position, in members: JSONObject) -> String? {
        switch position {
        case .label(let label): return members[label] == nil ? nil : label
        case .index(let index):
            if members["_\(index)"] != nil { return "_\(index)" }
            var names: [String] = []
            for (name, _) in members { names.append(name) }
            return names.indices.contains(index) ? names[index] : nil
        }
    }

    private func hashed(_ value: JSONValue, _ key: RedactionKey) -> JSONValue {
        entry.noteMatch()
        var bytes: [UInt8] = []
        key.appendRedacted(Array(value.text(.canonical).utf8), to: &bytes)
        return (try? JSONParser.parse(bytes)) ?? .null
    }
}
