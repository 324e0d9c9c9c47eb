import JournalFormat

/// Where the lines of a journal go that a command makes: handed over in portions, so that none of it is held in memory.
public struct LineSink {
    /// How many bytes wait before they are handed over.
    private static let capacity = 1 << 18

    private let take: ([UInt8]) throws -> Void

    /// A sink that hands whole lines to `take`.
    public init(_ take: @escaping ([UInt8]) throws -> Void) { self.take = take }

    /// Takes over lines once there are enough of them.
    func offer(_ lines: inout CopiedLines) throws {
        if lines.builder.bytes.count >= LineSink.capacity { try finish(&lines) }
    }

    /// Takes over all lines that are left.
    func finish(_ lines: inout CopiedLines) throws {
        try take(lines.builder.bytes)
        lines.builder.removeAll()
    }
}
