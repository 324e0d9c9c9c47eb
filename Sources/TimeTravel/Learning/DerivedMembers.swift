import JSONCore
import JournalReading
package import QueryLanguage

/// Values that queries make of each state, watched as if they were members of it.
package struct DerivedMembers {
    package struct Definition: Sendable {
        package let name: String
        /// The query, of the whole state.
        package let query: Query
        let text: String

        /// Defines a value by a query; `text` is its text, without definitions that it would need.
        package init(name: String, query: Query, text: String) {
            self.name = name
            self.query = query
            self.text = text.contains("#") ? "(\(text)\n)" : "(\(text))"
        }

        /// Its key among the stores: no store's name begins so, and it comes after all of them.
        var key: String { "\u{10FFFF}\(name)" }
    }

    let definitions: [Definition]
    private var values: [JSONValue?]

    init(_ definitions: [Definition]) {
        self.definitions = definitions
        values = definitions.map { _ in nil }
    }

    var queries: [Query] { definitions.map(\.query) }
    mutating func begin() { values = definitions.map { _ in nil } }

    mutating func update(_ run: Run, _ context: QueryContext) -> [String] {
        var changed: [String] = []
        for (index, definition) in definitions.enumerated() where run.isTouched(index) {
            let value = try? definition.query.first(of: run.state, context: context, memo: run.memo(of: index))
            guard value != values[index] else { continue }
            values[index] = value
            changed.append(definition.key)
        }
        return changed
    }

    func added(to stores: JSONObject) -> JSONObject {
        var all = stores
        for (definition, value) in zip(definitions, values) { all[definition.key] = value }
        return all
    }
}
