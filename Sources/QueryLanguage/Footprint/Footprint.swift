public import JSONCore

/// What a query can read: a change to anything else changes neither its outputs nor its errors.
public struct Footprint: Sendable, Equatable {
    /// The paths of the state that the query can read, of the present state and of `$old` alike.
    public var paths: PathSet
    /// Whether it reads `$old`.
    public var usesOld: Bool
    /// Whether it reads `$seq`, `$store`, `$at`, `$name` or `$time`.
    public var usesCommit: Bool
    /// Whether it may print messages, by `debug` or `stderr`.
    public var printsMessages: Bool
    /// The members of the state that are read by name, in the order in which they are written.
    public var topLevelNames: [TopLevelName]

    /// A member of the state that a query names, with its place in the text.
    public struct TopLevelName: Sendable, Equatable {
        /// The member's key.
        public var name: String
        /// UTF-8 offsets into the query's text.
        public var range: Range<Int>
    }

    init(of program: Program) {
        let tracer = Tracer()
        let frame = TraceFrame(tracer, parent: nil, slots: program.slots, closures: [])
        tracer.consume(program.body.trace(.root, frame))
        paths = tracer.paths
        usesOld = tracer.usesOld
        usesCommit = tracer.usesCommit
        printsMessages = tracer.printsMessages
        var names: [TopLevelName] = []
        for found in tracer.topLevelNames.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
        where names.last?.range != found.range {
            names.append(TopLevelName(name: found.name, range: found.range))
        }
        topLevelNames = names
    }
}
