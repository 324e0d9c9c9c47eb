package import CommandLine
import JSONCore
package import QueryLanguage
package import TimeTravel

/// Each definition of the `--invariants` files, then each `--invariant`.
package struct InvariantDefinitions: Sendable {
    package struct DefinedInvariant: Sendable {
        package let invariant: Invariant
        package let file: String?
        package let environment: QueryEnvironment
        package let description: String
    }

    package private(set) var entries: [DefinedInvariant] = []

    package init(_ typed: TypedArguments) throws {
        guard typed.has(.invariant) || typed.has(.invariants) else {
            throw UsageError.needsOne(.check, [.invariant, .invariants])
        }
        var environment = try QueryEnvironment(typed)
        for path in typed.all(.invariants) {
            let definitions = try Definitions(path: path, in: environment)
            for name in definitions.zeroArgumentNames {
                guard let query = definitions.query(named: name) else { continue }
                guard !entries.contains(where: { UTF8Order.equal($0.invariant.name, name) }) else {
                    throw UsageError.value(
                        .invariants, path, expected: "names that are new: '\(name)' was defined before")
                }
                entries.append(
                    DefinedInvariant(
                        invariant: Invariant(name: name, query: query), file: path, environment: environment,
                        description: "\(definitions.text(of: name) ?? name)  # \(path)"))
            }
            environment.add(definitions)
        }
        for text in typed.all(.invariant) { try add(text, environment) }
        guard !entries.isEmpty else {
            throw UsageError.value(
                .invariants, typed.value(.invariants) ?? "", expected: "a file with a 'def' without parameters")
        }
    }

    package var invariants: [Invariant] { entries.map(\.invariant) }

    var rules: [FindingRule] {
        entries.map { entry in
            FindingRule(
                id: entry.invariant.name, summary: "'\(entry.invariant.name)' must hold at every position",
                description: entry.description)
        }
    }

    /// Compiled for one thread.
    var ownInvariants: [Invariant] {
        entries.map { Invariant(name: $0.invariant.name, query: $0.invariant.query.recompiled()) }
    }

    /// Adds `NAME=QUERY`, or a query, whose name is its text; either may call the definitions of the files.
    private mutating func add(_ text: String, _ environment: QueryEnvironment) throws {
        let names = entries.map(\.invariant.name)
        var (name, query) = (text, text)
        if NamedQuery.isNamed(text) {
            let typed = try NamedQuery(parsing: text, of: .invariant, example: "total=.cart.total >= 0", taken: names)
            (name, query) = (typed.name, typed.query)
        } else if names.contains(where: { UTF8Order.equal($0, text) }) {
            throw UsageError.value(.invariant, text, expected: "given once")
        }
        let compiled = try Query(query, name: name, in: environment)
        entries.append(
            DefinedInvariant(
                invariant: Invariant(name: name, query: compiled), file: nil, environment: environment,
                description: compiled.text))
    }
}
