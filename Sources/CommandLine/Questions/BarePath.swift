import Diagnostics
package import JSONCore
import JournalFormat
import JournalReading
import Platform
package import QueryLanguage
import Synchronization
import TimeTravel

/// A path as people type it who do not know jq: `cart.total`, where a query says `.cart.total`.
package enum BarePath {
    /// Lets words of queries name what is in the journal that was typed, which is read when the first such word is met.
    package static func name(_ typed: TypedArguments, in environment: inout QueryEnvironment) {
        guard let command = typed.command,
            let place = CommandTable.definition(of: command).operands.firstIndex(where: \.isJournal),
            typed.operands.indices.contains(place)
        else { return }
        let names = NamesOfJournal(path: typed.operands[place], scope: StoreScope(store: typed.value(.store)))
        environment.paths = { paths(of: $0, in: names.state, isStore: names.scope.store != nil) }
        environment.nearPaths = { near($0, in: names.state, isStore: names.scope.store != nil) }
    }

    /// The places that are called as a word, or nearly: at the top, or one step below.
    package static func near(_ word: String, in part: JSONValue, isStore: Bool) -> [JSONPointer] {
        let places = paths(of: word, in: part, isStore: isStore)
        guard places.isEmpty, case .object(let members) = part else { return places }
        let below = isStore ? [] : members.flatMap { $1.object?.keys ?? [] }
        guard let name = SimilarNames.nearest(to: word, in: members.keys + below).first else { return [] }
        return paths(of: name, in: part, isStore: isStore)
    }

    /// What is read of a state for the names of its stores and of their members.
    package static func names(of store: String?) -> PathSet {
        var names = PathSet.nothing
        names.insert((store.map { [.key($0)] } ?? [.each]) + [.each], reading: .shallow)
        return names
    }

    /// The places that a word may mean: the member at the top of that name, or those one step below.
    package static func paths(of word: String, in part: JSONValue, isStore: Bool) -> [JSONPointer] {
        guard case .object(let members) = part else { return [] }
        if members[word] != nil { return [JSONPointer([word])] }
        guard !isStore else { return [] }
        return members.filter { $1.object?[word] != nil }.map { store, _ in JSONPointer([store, word]) }
    }

    private final class NamesOfJournal: Sendable {
        let scope: StoreScope
        private let path: String
        private let known = Mutex<JSONValue?>(nil)

        init(path: String, scope: StoreScope) {
            (self.path, self.scope) = (path, scope)
        }

        /// The members, without what is below them; none of what is not a journal.
        var state: JSONValue {
            known.withLock { known in
                if let known { return known }
                let found = read()
                known = found
                return found
            }
        }

        private func read() -> JSONValue {
            // What is read only once was not read, and is not waited for.
            guard (try? FileStatus(path))?.kind == .regular, let journal = try? Journal.open(path, access: .random),
                let end = try? journal.position(.end),
                let state = try? journal.state(at: end, pruning: names(of: scope.store)).value
            else { return .null }
            return scope.part(of: state)
        }
    }

    /// Whether a text is nothing but a path: it has no sign of the query language besides dots, brackets, quotes and '*'.
    package static func isPlain(_ text: String) -> Bool {
        !text.unicodeScalars.contains { " |,;()<>=+%{}?#'!&\t\n".unicodeScalars.contains($0) }
            && (try? PathPattern(parsing: text, operand: "PATH")) != nil
    }

    /// The query for `cart/total` typed where a path may stand: a division only where both sides are functions, or the
    /// first word names a member of a store, as in `total/3`.
    package static func pointer(_ text: String, _ typed: TypedArguments) -> String {
        guard isPlain(text), let slash = text.utf8.firstIndex(of: UInt8(ascii: "/")), slash != text.startIndex,
            !text.contains("."), (try? Query(text)) == nil
        else { return text }
        var environment = QueryEnvironment.empty
        name(typed, in: &environment)
        let places = environment.paths?(String(text[..<slash])) ?? []
        return places.contains { $0.segments.count > 1 } ? text : "/" + text
    }

    /// Whether a text that begins with '/' is a query: it has a space or a sign that paths have not, and reads as one.
    package static func isQuery(_ text: String, _ scope: StoreScope) -> Bool {
        text.unicodeScalars.contains { " \t\n|,;()<>=+?\"[]{}".unicodeScalars.contains($0) }
            && (try? ScopedQuery(text, name: "query", scope: scope)) != nil
    }

    /// The pattern that a text is which names a member at the top of the state first, without a dot before it; nil for others.
    package static func pattern(_ text: String, _ state: JSONValue) -> PathPattern? {
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

    package static func query(of path: JSONPointer, in state: JSONValue) -> String {
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
