import Interchange
import JSONCore

/// A text that is not JSON for small reasons is read by 'query' or after 'iconv', in this order: bytes of an old
/// encoding, a comma at the end of each line, numbers that JSON has not.
struct FileTexts {
    private(set) var bytes: [UInt8]
    private(set) var sample: TextSample?
    /// The command that writes the file so that it can be imported; nil where the import reads the file itself.
    private(set) var front: String?
    /// Whether that command is a query, whose outputs are one a line.
    private(set) var isQueried = false
    private let path: String
    private let isWhole: Bool

    private static let lineCount = 2000

    init(_ path: String, _ bytes: [UInt8], isWhole: Bool) {
        (self.path, self.isWhole, self.bytes) = (path, isWhole, bytes)
        if Self.isOfOneByteEach(bytes), path != "-" {
            self.bytes = bytes.flatMap { Array(String(Unicode.Scalar($0)).utf8) }
            front = ImportAdvice(path).rewritten(from: "ISO-8859-1")
        }
        sample = TextSample.of(Array(String(decoding: self.bytes, as: UTF8.self).utf8), isWhole: isWhole)
        let pieces = self.bytes.split(separator: UInt8(ascii: "\n")).prefix(Self.lineCount).map(Array.init)
        func values(_ read: ([UInt8]) -> JSONValue?) -> [JSONValue] {
            pieces.compactMap(read).filter { !$0.isScalar }
        }
        let plain = values { try? JSONParser.parse($0) }.count
        guard front == nil, sample?.form != .prefixedLines, sample?.form != .rows, !readsAll else {
            if sample == nil { readElements() }
            if sample == nil { sample = TextSample.among(self.bytes) }
            return
        }
        let withCommas = values { try? JSONParser.parse(Self.withoutComma($0)) }
        let notFinite = values { try? JSONParser.parse($0, limits: JSONLimits(allowsNonFinite: true)) }
        if withCommas.count > plain, withCommas.count * 2 > pieces.count {
            queried(["-R", #"rtrimstr("\r") | rtrimstr(",") | fromjson?"#], withCommas)
        } else if notFinite.count > plain, notFinite.count * 2 > pieces.count {
            queried(["--nan", "."], notFinite)
        } else if sample == nil {
            readElements()
            if sample == nil { sample = TextSample.among(self.bytes) }
        }
    }

    /// The command that writes each text of the file, or each element of its array, in a line; nil where it would fail.
    var query: String? {
        if isQueried { return front }
        guard front == nil, readsAll || !isWhole else { return nil }
        return command([sample?.form == .array ? ".[]" : "."])
    }

    private var readsAll: Bool {
        var texts = JSONTexts()
        texts.bytes = bytes
        if isWhole { texts.finish() }
        do {
            while try texts.next() != nil {}
            return true
        } catch { return false }
    }

    private mutating func queried(_ words: [String], _ values: [JSONValue]) {
        front = command(words)
        isQueried = true
        sample = TextSample(.lines, values)
    }

    private func command(_ words: [String]) -> String {
        Advice.line(.query, [words.last ?? "."] + (path == "-" ? [] : [path]), Array(words.dropLast()))
    }

    private mutating func readElements() {
        guard !isWhole, bytes.first == UInt8(ascii: "[") else { return }
        var texts = JSONTexts(separator: UInt8(ascii: ","))
        texts.bytes = Array(bytes.dropFirst())
        var values: [JSONValue] = []
        while values.count < TextSample.count, let value = try? texts.next() { values.append(value) }
        if !values.isEmpty { sample = TextSample(.array, values) }
    }

    private static func withoutComma(_ line: [UInt8]) -> [UInt8] {
        var line = line
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        if line.last == UInt8(ascii: ",") { line.removeLast() }
        return line
    }

    /// Whether bytes are not UTF-8 in any of their letters, as text of an old encoding is.
    private static func isOfOneByteEach(_ bytes: [UInt8]) -> Bool {
        guard bytes.contains(where: { $0 >= 0x80 }), !bytes.contains(0) else { return false }
        let text = String(decoding: bytes, as: UTF8.self)
        var (replaced, kept) = (0, 0)
        for scalar in text.unicodeScalars where scalar.value >= 0x80 {
            if scalar.value == 0xFFFD { replaced += 1 } else { kept += 1 }
        }
        return replaced > 0 && kept == 0
    }
}
