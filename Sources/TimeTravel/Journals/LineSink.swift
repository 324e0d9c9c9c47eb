import JournalFormat

/// Where the lines of a journal go that a command makes: handed over in portions, so that none of it is held in memory.
public struct LineSink {
    /// How many bytes wait before they are handed over.
    private static let capacity = 1 << 18

    private let take: ([UInt8]) throws -> Void
    private let pass: () throws -> Void

    /// A sink that hands whole lines to `take`.
    ///
    /// - Parameter pass: is called before a wait for more to read, to hand on what was taken.
    public init(_ take: @escaping ([UInt8]) throws -> Void, beforeWaiting pass: @escaping () throws -> Void = {}) {
        self.take = take
        self.pass = pass
    }

    /// Takes over lines once there are enough of them.
    func offer(_ lines: inout CopiedLines) throws {
        if lines.builder.bytes.count >= LineSink.capacity { try finish(&lines) }
    }

    /// Takes over all lines that there are, since nobody knows when the next one comes.
    func flush(_ lines: inout CopiedLines) throws {
        try finish(&lines)
        try pass()
    }

    /// Takes over all lines that are left.
    func finish(_ lines: inout CopiedLines) throws {
        try take(lines.builder.bytes)
        lines.builder.removeAll()
    }
}
