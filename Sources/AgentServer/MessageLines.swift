/// The lines of the client, from pieces of any length.
struct MessageLines {
    /// A line, or that one was too long.
    enum Line: Equatable {
        case whole([UInt8])
        case overlong
    }

    private var line: [UInt8] = []
    private var isOverlong = false

    /// Takes a piece, and returns the lines that it ends.
    mutating func take(_ bytes: [UInt8]) -> [Line] {
        var ended: [Line] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            add(rest[..<end])
            ended.append(isOverlong ? .overlong : .whole(line))
            (line, isOverlong) = ([], false)
            rest = rest[(end + 1)...]
        }
        add(rest)
        return ended
    }

    /// The line that the input ended in.
    mutating func finish() -> Line? { isOverlong ? .overlong : line.isEmpty ? nil : .whole(line) }

    private mutating func add(_ bytes: ArraySlice<UInt8>) {
        if isOverlong { return }
        guard line.count + bytes.count <= ProtocolServer.lineLimit else {
            (line, isOverlong) = ([], true)
            return
        }
        line += bytes
    }
}
