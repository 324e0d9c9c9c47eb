import Foundation

/// What is left of a journal when the power goes while its last commit is written: no end, and half a line.
enum PowerCut {
    static func strike(_ path: String) throws {
        let file = URL(fileURLWithPath: path)
        let lines = try Data(contentsOf: file).split(separator: UInt8(ascii: "\n"))
        guard let last = lines.lastIndex(where: isCommit) else { return }
        var whole = Data()
        for line in lines[..<last] { whole += line + [UInt8(ascii: "\n")] }
        try (whole + lines[last].prefix(lines[last].count / 2)).write(to: file)
    }

    private static func isCommit(_ line: Data) -> Bool {
        line.prefix(40).range(of: Data(#""kind":"commit""#.utf8)) != nil
    }
}
