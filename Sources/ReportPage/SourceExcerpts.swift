import CommandLine
import Diagnostics
import JSONCore
import Platform

struct SourceExcerpts {
    /// How many lines before and after a place are shown; the page's script cuts them so, too.
    private static let context = 5
    /// The most bytes of source on a page, of files in the order of their names; and the longest line, in characters.
    private static let mostBytes = 512 << 10
    private static let longestLine = 400

    /// For each file, as the journal names it, its parts: the number of the first line, and the lines.
    private(set) var files = JSONObject()
    private(set) var leftOut: [String] = []

    /// - Parameter root: where the files lie; those that are missing have been reported.
    init(_ places: [ByteName: Set<Int>], below root: SourceRoot, _ messages: MessageWriter) {
        let sources = SourceTexts(folder: root.folder)
        var byteCount = 0
        for (name, lines) in places.sorted(by: { $0.key < $1.key }) where root.path(of: name.text) != nil {
            let file = name.text
            do throws(CommandFailure) {
                let parts = try Self.parts(of: file, around: lines, sources)
                let length = parts.reduce(0) { $0 + $1.text.utf8.count }
                guard byteCount + length <= Self.mostBytes else {
                    leftOut.append(file)
                    continue
                }
                byteCount += length
                files[file] = .array(parts.map { .array([.number($0.first), .string($0.text)]) })
            } catch { messages.reportOnce(error.diagnostic) }
        }
    }

    /// Lines that meet or overlap are one part.
    private static func parts(
        of file: String, around lines: Set<Int>, _ sources: SourceTexts
    ) throws(CommandFailure) -> [(first: Int, text: String)] {
        var ranges: [Range<Int>] = []
        for line in lines.sorted() where line > 0 && line < .max - context {
            let range = max(1, line - context)..<(line + context + 1)
            if let last = ranges.last, last.upperBound >= range.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
            } else {
                ranges.append(range)
            }
        }
        var parts: [(first: Int, text: String)] = []
        for range in ranges {
            let found = try sources.lines(of: file, range)
            guard !found.isEmpty else { continue }
            let text = found.map { String($0.prefix(longestLine)) }.joined(separator: "\n")
            parts.append((range.lowerBound, text.replacing("\t", with: "    ")))
        }
        return parts
    }
}
