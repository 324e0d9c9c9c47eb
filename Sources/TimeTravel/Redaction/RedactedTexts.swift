import JSONCore
import JournalFormat

/// Texts that were redacted by path anywhere in the journal are replaced wherever they stand: in values, names, marks,
/// errors, payloads.
///
/// Equal texts become equal marks and different texts different ones, so patches still lead from state to state.
struct RedactedTexts {
    private let values: RedactedValues
    private let cover: SecretCover
    /// The names that end the paths: members of a payload that are called so are taken for what the paths mean.
    private let names: [String]

    init(_ values: RedactedValues, _ secrets: SecretTexts, names: [String]) {
        self.values = values
        self.names = names
        cover = SecretCover(secrets)
    }

    func redacted(_ state: JSONValue, of store: String) -> JSONValue { masked(values.redacted(state, at: [store])) }
    func masked(_ text: String) -> String { cover.replaced(in: text, by: values.mark) ?? text }

    /// A state's value, or what the format knows, without what it must not hold.
    func masked(_ value: JSONValue) -> JSONValue { cover.isEmpty ? value : masked(value, byName: false) }

    /// A value that has no path of the state and no meaning in the format: members that are called as the paths end go too.
    func maskedByName(_ value: JSONValue) -> JSONValue { masked(value, byName: true) }

    private func masked(_ value: JSONValue, byName: Bool) -> JSONValue {
        switch value {
        case .null, .bool: return value
        case .string(let text): return cover.replaced(in: text, by: values.mark).map { .string($0) } ?? value
        case .number(let number): return cover.holds(number) ? values.hash(value) : value
        case .array(let elements): return .array(elements.map { masked($0, byName: byName) })
        case .object(let members):
            if value.isRedacted { return value }
            return .object(
                JSONObject(
                    members.map { name, member in
                        (masked(name), byName ? maskedMember(name, member) : masked(member, byName: false))
                    }))
        }
    }

    func maskedMember(_ name: String, _ value: JSONValue) -> JSONValue {
        names.contains(name) ? values.hash(value) : maskedByName(value)
    }

    // MARK: In paths

    /// - Parameter state: decides whether a segment of its paths is a member's name or an element's number.
    func masked(_ operation: JSONPatch.Operation, in state: JSONValue) -> JSONPatch.Operation {
        cover.isEmpty ? operation : operation.mapped(pointers: { masked($0, in: state) }, { masked($0) })
    }

    func masked(_ pointer: JSONPointer, in state: JSONValue) -> JSONPointer {
        var value: JSONValue? = state
        var segments: [String] = []
        for segment in pointer.segments {
            switch value {
            case .array(let elements)?:
                segments.append(segment)
                value = JSONPointer.arrayIndex(segment).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            case .object(let members)?:
                segments.append(masked(segment))
                value = members[segment]
            default:
                segments.append(masked(segment))
                value = nil
            }
        }
        return JSONPointer(segments)
    }

    func masked(pointer text: String) -> String {
        guard let pointer = try? JSONPointer(parsing: text) else { return masked(text) }
        return JSONPointer(pointer.segments.map { masked($0) }).text
    }

    private enum Role {
        /// A state or a patch, redacted by path before.
        case state
        case number
        case time
        case text
        case word([String])
        case pointers
        case place
        case totals
        case action
        case outcomes
        case unknown
    }

    func masked(_ record: JSONObject, _ kind: RecordKind, readsSecret: (String) -> Bool) -> JSONObject {
        JSONObject(
            record.map { name, value in
                let role = RedactedTexts.role(of: name, in: kind)
                if case .unknown = role { return (masked(name), maskedMember(name, value)) }
                return (name, masked(value, role, readsSecret))
            })
    }

    private func masked(_ value: JSONValue, _ role: Role, _ readsSecret: (String) -> Bool) -> JSONValue {
        switch (role, value) {
        case (.state, _), (.number, .number): return value
        case (.time, .string(let text)) where Timestamp(text) != nil: return value
        case (.word(let words), .string(let text)) where words.contains(where: { UTF8Order.equal($0, text) }):
            return value
        case (.pointers, .array(let inputs)):
            return .array(inputs.map { $0.string.map { .string(masked(pointer: $0)) } ?? maskedByName($0) })
        case (.place, .object(let members)): return maskedPlace(members)
        case (.totals, .object(let members)): return maskedTotals(members)
        case (.action, .object(let members)):
            return masked(members) { name, value in name == "type" ? masked(value) : nil }
        case (.outcomes, .array(let entries)): return .array(entries.map { maskedOutcome($0, readsSecret) })
        case (.text, _): return masked(value)
        default: return maskedByName(value)
        }
    }

    private func masked(_ members: JSONObject, _ known: (String, JSONValue) -> JSONValue?) -> JSONValue {
        .object(
            JSONObject(
                members.map { name, value in
                    if let masked = known(name, value) { return (name, masked) }
                    return (masked(name), maskedMember(name, value))
                }))
    }

    private func maskedPlace(_ members: JSONObject) -> JSONValue {
        masked(members) { name, value in
            switch name {
            case "line", "column": value.number == nil ? nil : value
            case "file", "function": masked(value)
            default: nil
            }
        }
    }

    private func maskedTotals(_ members: JSONObject) -> JSONValue {
        masked(members) { name, value in
            switch (name, value) {
            case ("commits", .object(let counts)):
                .object(
                    JSONObject(counts.map { (masked($0.key), $0.value.number == nil ? masked($0.value) : $0.value) }))
            case ("open", _), ("derived", _): masked(value)
            case ("moreDerived", .number), ("marks", .number), ("gaps", .number), ("aborts", .number): value
            default: nil
            }
        }
    }

    private func maskedOutcome(_ entry: JSONValue, _ readsSecret: (String) -> Bool) -> JSONValue {
        guard case .object(let members) = entry else { return maskedByName(entry) }
        let isSecret = members["name"]?.string.map(readsSecret) ?? true
        return masked(members) { name, value in
            switch name {
            case "name": masked(value)
            case "outcome": masked(value, .word(["unchanged", "same", "fired"]), readsSecret)
            case "value" where isSecret: values.hash(value)
            default: nil
            }
        }
    }

    private static func role(of member: String, in kind: RecordKind) -> Role {
        switch (member, kind) {
        case ("seq", _): .number
        case ("kind", .other): .text
        case ("kind", _): .word([kind.name.description])
        case ("time", _): .time
        case (_, .other): .unknown
        case ("at", _): .place
        case ("store", _), ("name", _), ("type", _), ("id", _), ("app", _), ("build", _), ("recorder", _),
            ("labels", _),
            ("from", .derived), ("thread", _), ("error", _), ("text", _), ("reason", _):
            .text
        case ("level", .mark): .word(["info", "warning", "error"])
        case ("version", _), ("after", .journal), ("cause", .commit), ("undoes", .commit), ("commit", .outcome),
            ("first", .gap), ("lost", .gap):
            .number
        case ("state", .store), ("states", .keyframe), ("states", .gap), ("patch", .commit): .state
        case ("inputs", .derived): .pointers
        case ("totals", _): .totals
        case ("action", .commit): .action
        case ("derived", .outcome): .outcomes
        default: .unknown
        }
    }
}
