import Platform

/// The frames of the protocol: a head of lines, one of which is `Content-Length`, an empty line, and so many bytes of JSON.
///
/// A state machine: bytes in as they come, whole texts out.
struct DapFrames {
    /// No text is longer, in bytes.
    static let lengthLimit = 64 << 20
    /// No head is longer, in bytes.
    private static let headLimit = 4096

    /// Why no frame can be read any more.
    enum Fault: Error, Equatable {
        /// The head has no length that is a number, or does not end.
        case head
        /// The text would be too long.
        case tooLong(Int)
        /// The input ends within a frame.
        case cut
        /// The system refuses to read.
        case unreadable(SystemFailure)
    }

    private var bytes: [UInt8] = []
    /// How many of the bytes belong to frames that were taken.
    private var taken = 0
    /// The length of the text whose head was read; nil within a head.
    private var length: Int?

    /// Adds what was read.
    mutating func add(_ more: some Collection<UInt8>) {
        if taken > 1 << 16, taken * 2 > bytes.count {
            bytes.removeFirst(taken)
            taken = 0
        }
        bytes += more
    }

    /// Takes the next whole text; nil where more has to be read.
    mutating func next() throws(Fault) -> [UInt8]? {
        if length == nil {
            guard let end = headEnd else {
                // A client of another protocol may wait for an answer before it writes more.
                if bytes.count - taken > DapFrames.headLimit || !isHead { throw .head }
                return nil
            }
            let length = try DapFrames.length(of: bytes[taken..<end])
            if length > DapFrames.lengthLimit { throw .tooLong(length) }
            self.length = length
            taken = end + 4
        }
        guard let length, bytes.count - taken >= length else { return nil }
        defer { taken += length }
        self.length = nil
        return Array(bytes[taken..<taken + length])
    }

    /// Checks that the input may end here.
    func end() throws(Fault) { if length != nil || taken < bytes.count { throw .cut } }

    /// Where the empty line after the head begins.
    private var headEnd: Int? {
        let limit = min(bytes.count, taken + DapFrames.headLimit)
        guard taken + 4 <= limit else { return nil }
        return (taken...limit - 4).first { place in
            bytes[place] == 13 && bytes[place + 1] == 10 && bytes[place + 2] == 13 && bytes[place + 3] == 10
        }
    }

    /// Whether what came may begin a head: a name before its colon, and lines that end as a head's do.
    private var isHead: Bool {
        let rest = bytes[taken...]
        let isNamed = rest.prefix { $0 != UInt8(ascii: ":") }.allSatisfy { byte in
            byte == UInt8(ascii: "-") || UnicodeScalar(byte).properties.isAlphabetic && byte < 0x80
        }
        return isNamed
            && rest.split(separator: 10, omittingEmptySubsequences: false).dropLast().allSatisfy { $0.last == 13 }
    }

    /// The length that a head says.
    private static func length(of head: ArraySlice<UInt8>) throws(Fault) -> Int {
        var found: Int?
        for line in String(decoding: head, as: UTF8.self).split(separator: "\r\n" as Character) {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw .head }
            guard parts[0].lowercased() == "content-length" else { continue }
            let digits = parts[1].drop { $0 == " " }
            guard found == nil, !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { throw .head }
            // More digits than a number has are too many bytes in any case.
            found = Int(digits) ?? .max
        }
        guard let found else { throw .head }
        return found
    }

    /// A text with its head.
    static func frame(_ text: [UInt8]) -> [UInt8] { Array("Content-Length: \(text.count)\r\n\r\n".utf8) + text }
}
