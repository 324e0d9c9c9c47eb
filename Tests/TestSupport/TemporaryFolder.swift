import Foundation

/// A fresh folder that goes away with everything in it.
public final class TemporaryFolder: Sendable {
    /// Where it is.
    public let path: String

    /// Makes the folder.
    public init() {
        var template = Array("/tmp/journal-tests-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!) }
        path = String(cString: made!)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// What lies in the folder.
    public var names: [String] { TemporaryFolder.names(path) }

    /// What lies in a folder.
    public static func names(_ path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    /// The path of a file in it.
    public func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file, and returns its path.
    @discardableResult public func write(_ bytes: [UInt8], to name: String) -> String {
        let file = fopen(path(name), "w")!
        _ = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
        fclose(file)
        return path(name)
    }

    /// Writes a text to a file, and returns its path.
    @discardableResult public func write(_ text: String, to name: String) -> String {
        write(Array(text.utf8), to: name)
    }

    /// Reads a whole file; one that is not there is empty.
    public static func read(_ path: String) -> [UInt8] {
        FileManager.default.contents(atPath: path).map { Array($0) } ?? []
    }

    /// The lines of a file, without their newlines.
    public static func lines(_ path: String) -> [String] {
        String(decoding: read(path), as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
