import JSONCore
import JournalFormat
import JournalReading
import Platform
import QueryLanguage
import TimeTravel

/// A path as people type it who do not know jq: `cart.total`, where a query says `.cart.total`.
enum BarePath {
    /// An error of a query that knows the names at the top of the journal that was typed, so that it can say which word lacks
    /// a dot; any other error as it is.
    ///
    /// - Complexity: one seek, for a query with a word that is not known.
    static func explained(_ error: any Error, _ typed: TypedArguments) -> any Error {
        guard var errors = error as? QuerySyntaxErrors, errors.hasUnknownWord, let command = typed.command,
            let place = CommandTable.definition(of: command).operands.firstIndex(where: { $0.name == "JOURNAL" }),
            typed.operands.indices.contains(place)
        else { return error }
        errors.members = names(atTopOf: typed.operands[place], store: typed.value(.store))
        return errors
    }

    /// The names of the stores that are open at the end of a journal, or of the members of one; none of what is not a journal.
    private static func names(atTopOf path: String, store: String?) -> [String] {
        var kinds = PathSet.nothing
        kinds.insert(store.map { [.key($0), .each] } ?? [.each], reading: .shallow)
        // What is read only once was not read, and is not waited for.
        guard (try? FileStatus(path))?.kind == .regular, let journal = try? Journal.open(path, access: .random),
            let end = try? journal.position(.end), let state = try? journal.state(at: end, pruning: kinds).value
        else { return [] }
        return StoreScope(store: store).part(of: state).object?.keys ?? []
    }

    /// The pattern that a text is which names a member at the top of the state first, without a dot before it; nil for others.
    static func pattern(_ text: String, _ state: JSONValue) -> PathPattern? {
        guard case .object(let members) = state, let first = text.unicodeScalars.first,
            !"./".unicodeScalars.contains(first),
            !text.unicodeScalars.contains(where: {
                $0.properties.isWhitespace || "+|=<>".unicodeScalars.contains($0)
            }),
            let pattern = try? PathPattern(parsing: text, operand: "PATH"),
            case .key(let store)? = pattern.steps.steps.first,
            members.keys.contains(where: { UTF8Order.equal($0, store) })
        else { return nil }
        return pattern
    }

    /// The query that gives what is at a path, whose steps are names or indexes as the state has them.
    static func query(of path: JSONPointer, in state: JSONValue) -> String {
        var (text, value) = (".", Optional(state))
        for segment in path.segments {
            if case .array(let elements)? = value, let index = Int(segment) {
                text += "[\(index)]"
                value = elements.indices.contains(index) ? elements[index] : nil
            } else {
                text += "[" + JSONValue.string(segment).text() + "]"
                if case .object(let object)? = value { value = object[segment] } else { value = nil }
            }
        }
        return text
    }
}
