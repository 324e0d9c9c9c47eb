import Diagnostics
import JSONCore
import Platform
import QueryLanguage
import TimeTravel

/// The invariants that a command line names: each definition of the `--invariants` files, then each `--invariant`.
struct InvariantDefinitions: Sendable {
    /// An invariant and where it came from.
    struct Entry: Sendable {
        let invariant: Invariant
        /// The file that defines it; nil where its query was typed.
        let file: String?

        /// The file's definitions, or those that a typed query may call.
        fileprivate let definitions: Definitions?

        /// The query compiled a second time.
        fileprivate var compiledAnew: Invariant {
            let query = invariant.query
            let fresh =
                file == nil
                ? try? Query(query.text, name: query.name, definitions: definitions)
                : definitions?.query(named: invariant.name)
            return Invariant(name: invariant.name, query: fresh ?? query)
        }

        /// What is to be read about it: the query, or where it is defined.
        var description: String { file.map { "defined in \($0)" } ?? invariant.query.text }
    }

    /// In the order given.
    private(set) var entries: [Entry] = []

    /// Reads and compiles what was typed.
    ///
    /// - Throws: every problem of a definition; `UsageError` where an option is none, or there is no invariant.
    init(_ typed: TypedArguments) throws {
        guard typed.has(.invariant) || typed.has(.invariants) else {
            throw UsageError.needsOne(.check, [.invariant, .invariants])
        }
        var file: Definitions?
        for path in typed.all(.invariants) {
            let definitions = try Definitions(path: path)
            for name in definitions.zeroArgumentNames {
                guard let query = definitions.query(named: name) else { continue }
                guard !entries.contains(where: { UTF8Order.equal($0.invariant.name, name) }) else {
                    throw UsageError.value(
                        .invariants, path, expected: "names that are new: '\(name)' was defined before")
                }
                entries.append(
                    Entry(invariant: Invariant(name: name, query: query), file: path, definitions: definitions))
            }
            file = definitions
        }
        for text in typed.all(.invariant) { try add(text, file) }
        guard !entries.isEmpty else {
            throw UsageError.value(
                .invariants, typed.value(.invariants) ?? "", expected: "a file with a 'def' without parameters")
        }
    }

    /// The invariants alone.
    var invariants: [Invariant] { entries.map(\.invariant) }

    /// The invariants, compiled for one thread: the reference counts of a query that several threads evaluate wander from one
    /// core to the other, which costs more than the evaluation.
    var ownInvariants: [Invariant] { entries.map(\.compiledAnew) }

    /// Adds `NAME=QUERY`, which may call the definitions of the last file.
    private mutating func add(_ text: String, _ file: Definitions?) throws {
        let typed = try NamedQuery(
            parsing: text, of: .invariant, example: "total=.cart.total >= 0", taken: entries.map(\.invariant.name))
        let query = try Query(typed.query, name: typed.name, definitions: file)
        entries.append(
            Entry(invariant: Invariant(name: typed.name, query: query), file: nil, definitions: file))
    }
}

extension Definitions {
    /// Reads a file of definitions.
    ///
    /// - Throws: `CommandFailure` where it cannot be read, and every problem of its text.
    init(path: String) throws {
        let bytes: [UInt8]
        do throws(SystemFailure) { bytes = try FileDescriptor.readAll(of: path) } catch {
            throw CommandFailure(
                .unreadable, Diagnostic(code: "definitions.unreadable", "'\(path)' cannot be read: \(error.text)"))
        }
        try self.init(text: String(decoding: bytes, as: UTF8.self), name: path)
    }
}
