package import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import QueryLanguage
package import TimeTravel

/// The derived values that a command line and a journal define: `--definitions`, then `--define`, then what the app declared.
///
/// A definition with the name of a declared value takes its place; of two in files with one name the later counts.
package struct DerivedDefinitions {
    private var defined: [DerivedValue] = []
    /// What `--define` defines, to be learned about.
    package private(set) var members: [DerivedMembers.Definition] = []

    package init(_ typed: TypedArguments, _ scope: StoreScope) throws {
        for file in scope.environment.definitions { try addAll(of: file, scope) }
        for text in typed.all(.define) { try add(text, scope) }
    }

    /// The values to follow, each after those that it reads.
    package func values(declared: [DerivedValue]) -> [DerivedValue] {
        declared.filter { value in !defined.contains { UTF8Order.equal($0.name, value.name) } } + defined
    }

    private mutating func addAll(of file: Definitions, _ scope: StoreScope) throws {
        for name in file.zeroArgumentNames {
            let query = try Query(scope.asked(name), name: name, in: scope.environment)
            let own = file.ownPaths(of: name)
            let inputs = scope.store.map { own.below($0) } ?? own
            try add(DerivedValue(name: name, query: query, inputs: inputs, from: file.callees(of: name)))
        }
    }

    private mutating func add(_ text: String, _ scope: StoreScope) throws {
        let typed = try NamedQuery(
            parsing: text, of: .define, example: "total=.cart.total", taken: defined.map(\.name))
        // Compiled as it was typed first, so that problems are reported at their place in the typed text.
        let own = try Query(typed.query, name: typed.name, in: scope.environment)
        let query =
            scope.store == nil ? own : try Query(scope.asked(typed.query), name: typed.name, in: scope.environment)
        try add(DerivedValue(name: typed.name, query: query))
        members.append(DerivedMembers.Definition(name: typed.name, query: query, text: scope.asked(typed.query)))
    }

    private mutating func add(_ value: DerivedValue) throws(CommandFailure) {
        if case .query(let query) = value.formula, query.footprint.usesOld || query.footprint.usesCommit {
            throw CommandFailure(
                .usage,
                Diagnostic(
                    code: "derived.context", "the derived value '\(value.name)' asks about the commit or '$old'",
                    notes: ["a derived value is made of the state alone"]))
        }
        defined.removeAll { UTF8Order.equal($0.name, value.name) }
        defined.append(value)
    }
}

extension StoreScope {
    /// A query as it is asked of the whole state: under `--store` that store's part is put before it.
    package func asked(_ query: String) -> String {
        guard let store else { return query }
        return ".[\(JSONValue.string(store).text())] | (\(query)\n)"
    }
}
