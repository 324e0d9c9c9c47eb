import JSONCore
import Platform
import TestSupport
import Testing

@testable import QueryLanguage

/// What a query costs is bounded in steps, whatever it is made of: never in time, which says something of the machine only.
@Suite struct HostileQueryTests {
    /// What the query comes to with so many steps; nil where it is done before that.
    private func limit(_ program: String, on input: JSONValue, steps: Int) throws -> QueryLimit? {
        var environment = QueryEnvironment()
        environment.messages = { _ in }
        let query = try Query(program, in: environment)
        let context = QueryContext(limits: QueryLimits(steps: steps, size: QueryLimits.standard.size))
        let outcome = LargeStack.run { () -> Result<Void, QueryError> in
            Result { () throws(QueryError) in try query.evaluate(input, context: context) { _ in true } }
        }
        guard case .failure(.limit(let limit)) = outcome else { return nil }
        return limit
    }

    @Test("work on many parts, or that makes many, costs steps by its size", arguments: HostileQuery.all)
    func steps(_ hostile: HostileQuery) throws {
        let input = try #require(try LargeStack.run { Result { try Query(hostile.setup).first(of: .null) } }.get())
        // A program of its own that only looks at its input needs no limits, as its text bounds its work: here it is a round of a loop.
        let program = "range(1) as $round | \(hostile.work)"
        #expect(try limit(program, on: input, steps: hostile.steps - 1) != nil)
    }

    @Test("a query without end is ended by a limit", arguments: HostileQuery.endless)
    func endless(_ program: String) throws {
        // Few steps, as they are slow in debug: `Benchmarks hostile` lets each run until the limit of the command ends it.
        #expect(try limit(program, on: .null, steps: 30_000) != nil)
    }

    @Test("an output costs by its parts where a query gives many of them")
    func outputs() throws {
        let input = try #require(try Query("[range(100) | [range(1000)]]").first(of: .null))
        #expect(try limit("range(1000) as $i | .", on: input, steps: 10_000_000) == .steps)
        // One output is what a query asks for, however large.
        #expect(try limit(".", on: input, steps: 1_000) == nil)
    }
}
