import CommandLine
import Diagnostics
package import Platform

/// Eight bytes of text for seven bytes of data, where Base64 makes four of three.
///
/// Nothing that a UTF-8 page may hold is denser than its 128 single bytes; eight of them would be taken for something
/// else by HTML or by a terminal that shows the file. Such a septet and the one after it become one character of two
/// bytes: U+0100 and up, 128 for each of the eight. So what was written never holds a `<`. The page's own reader is
/// `septets` in `Page/run.js`; the two change together.
enum SeptetText {
    /// The septets that may not stand for themselves, in the order of their characters.
    static let reserved: [UInt8] = [0x00, 0x07, 0x08, 0x0A, 0x0D, 0x0E, 0x1B, UInt8(ascii: "<")]

    /// The first character of two bytes.
    static let firstPair: UInt32 = 0x100

    /// - Complexity: O(*n*); the text has 8/7 of the bytes, and one or two more.
    static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 7 * 8 + 16)
        var pending: UInt8?
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 7 {
                count -= 7
                append(UInt8(bits >> UInt32(count) & 0x7F), to: &text, after: &pending)
            }
            bits &= 1 << UInt32(count) - 1
        }
        if count > 0 { append(UInt8(bits << UInt32(7 - count) & 0x7F), to: &text, after: &pending) }
        // A reserved septet at the end takes one along that holds nothing.
        if pending != nil { append(0x7F, to: &text, after: &pending) }
        return text
    }

    private static func append(_ septet: UInt8, to text: inout [UInt8], after pending: inout UInt8?) {
        if let place = pending {
            let scalar = firstPair + UInt32(place) << 7 + UInt32(septet)
            text.append(UInt8(0xC0 | scalar >> 6))
            text.append(UInt8(0x80 | scalar & 0x3F))
            pending = nil
        } else if let place = reserved.firstIndex(of: septet) {
            pending = UInt8(place)
        } else {
            text.append(septet)
        }
    }
}

/// `gzip` packs the same bytes always to the same.
package struct GzipPacker {
    /// Bytes that a program is at work on.
    final class Job {
        fileprivate let process: ChildProcess
        fileprivate let output: FileDescriptor

        fileprivate init(_ process: ChildProcess, _ output: consuming FileDescriptor) {
            self.process = process
            self.output = output
        }
    }

    /// Without a name and a time, as small as it gets.
    private static let arguments = ["gzip", "-9n"]

    private let environment: Environment

    /// Nil where there is no `gzip` on `PATH`.
    package init?(_ environment: Environment) {
        guard ExecutableLookup(environment).problem(with: Self.arguments[0]) == nil else { return nil }
        self.environment = environment
    }

    /// Other work can be done meanwhile; files stand on both sides of the program: with pipes, neither side may wait
    /// for the other.
    func begin(_ bytes: [UInt8]) throws(CommandFailure) -> Job {
        do throws(SystemFailure) {
            let input = try TemporaryFile.make()
            try input.write(bytes)
            try input.rewind()
            let output = try TemporaryFile.make()
            let process = try ChildProcess.start(
                Self.arguments, environment: environment, input: .descriptor(input.number),
                output: .descriptor(output.number), error: .nothing)
            return Job(process, output)
        } catch {
            throw Self.failed(error.text)
        }
    }

    func finish(_ job: Job) throws(CommandFailure) -> [UInt8] {
        guard job.process.waitTogether() == .status(0) else { throw Self.failed("it ended with an error") }
        do throws(SystemFailure) {
            let count = try job.output.status().byteCount
            var bytes: [UInt8] = []
            var block = [UInt8](repeating: 0, count: count)
            while bytes.count < count {
                var room = block.mutableSpan
                let read = try job.output.read(into: &room, at: bytes.count)
                if read == 0 { break }
                bytes += block[..<read]
            }
            return bytes
        } catch {
            throw Self.failed(error.text)
        }
    }

    private static func failed(_ reason: String) -> CommandFailure {
        CommandFailure(.unreadable, Diagnostic(code: "report.gzip", "'gzip' cannot pack the page: \(reason)"))
    }
}
