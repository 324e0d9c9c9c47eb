package import JSONCore

/// The first texts of a file of any form, for a look at what they mean.
package struct TextSample {
    /// How the texts stand in the file.
    package enum Form: Sendable {
        /// One a line.
        case lines
        /// One a line, after other text or after a key and a tab.
        case prefixedLines
        /// One after another, over several lines.
        case texts
        /// Elements of an array that is all of the file.
        case array
        /// Rows of a table.
        case rows
    }

    /// How many texts are looked at.
    package static let count = 2000

    package let form: Form
    /// The texts that are JSON; of a table its rows, as objects.
    package let values: [JSONValue]

    /// Looks at the beginning of a file; nil where nothing is recognised.
    ///
    /// - Parameter isWhole: whether it is all of the file.
    package static func of(_ bytes: [UInt8], isWhole: Bool) -> TextSample? {
        func pieces(_ division: TextDivision) -> [[UInt8]] { Self.pieces(division, bytes, isWhole: isWhole) }
        let lines = pieces(.lines(cutsPrefix: false))
        guard let first = lines.first else { return nil }
        let values = lines.compactMap(container)
        if container(first) != nil || values.count * 2 > lines.count {
            return TextSample(lines.count == 1 ? nil : .lines, values, single: .lines)
        }
        let prefixed = pieces(.lines(cutsPrefix: true)).compactMap(container)
        if prefixed.count * 2 > lines.count { return TextSample(.prefixedLines, prefixed, single: .prefixedLines) }
        if first.first == UInt8(ascii: "{") || first.first == UInt8(ascii: "[") {
            let texts = pieces(.texts).compactMap(container)
            if !texts.isEmpty { return TextSample(texts.count == 1 ? nil : .texts, texts, single: .texts) }
        }
        var (rows, table, separator) = (pieces(.rows)[...], CSVTable?.none, UInt8?.none)
        while table == nil, let row = rows.popFirst() {
            do throws(ImportFault) { table = try CSVTable(head: row, separatedBy: &separator) } catch { break }
        }
        if var table, table.width > 1, !rows.isEmpty, let objects = try? rows.map({ try table.object($0) }) {
            return TextSample(.rows, objects, single: .rows)
        }
        return nil
    }

    /// The objects that end lines among many of other text; nil where there is none.
    package static func among(_ bytes: [UInt8]) -> TextSample? {
        let found = pieces(.lines(cutsPrefix: true), bytes, isWhole: true).compactMap(container)
            .filter { $0.object?.isEmpty == false }
        return found.isEmpty ? nil : TextSample(.prefixedLines, found)
    }

    private static func pieces(_ division: TextDivision, _ bytes: [UInt8], isWhole: Bool) -> [[UInt8]] {
        var splitter = TextSplitter(division, limit: .max)
        bytes.withBytes { splitter.append($0) }
        // What is not whole at the end is left out, if more follows in the file.
        if isWhole { splitter.finish() }
        var pieces: [[UInt8]] = []
        while pieces.count < count, let piece = splitter.next() { pieces.append(Array(splitter.bytes[piece.range])) }
        return pieces
    }

    /// Texts that were read in another way.
    package init(_ form: Form, _ values: [JSONValue]) {
        self.form = form
        self.values = values
    }

    /// - Parameter form: nil where there is one text, which is `single` unless it is an array.
    private init(_ form: Form?, _ values: [JSONValue], single: Form) {
        let elements = form == nil ? values[0].array : nil
        self.form = form ?? (elements == nil ? single : .array)
        self.values = elements.map { Array($0.prefix(Self.count)) } ?? values
    }

    private static func container(_ text: [UInt8]) -> JSONValue? {
        guard let value = try? JSONParser.parse(text), !value.isScalar else { return nil }
        return value
    }
}
