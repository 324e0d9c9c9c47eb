import JSONCore
import JournalFormat

/// Redacts by what is said, not by where: texts that were redacted by path anywhere in the journal are replaced wherever they
/// stand, in values, names of members, marks, errors, payloads.
///
/// Equal texts become equal marks everywhere, and different texts different ones, so patches that led from state to state
/// still do.
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

    func hash(_ value: JSONValue) -> JSONValue { values.hash(value) }

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
}
