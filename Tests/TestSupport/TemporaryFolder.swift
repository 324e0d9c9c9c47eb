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

    /// Writes a file, in folders that are made where its name has them, and returns its path.
    @discardableResult public func write(_ bytes: [UInt8], to name: String) -> String {
        if let slash = name.lastIndex(of: "/") { make(String(name[..<slash])) }
        let file = fopen(path(name), "w")!
        _ = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
        fclose(file)
        return path(name)
    }

    /// Makes a folder in it, with those on the way, and returns its path.
    @discardableResult public func make(_ name: String) -> String {
        try? FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
        return path(name)
    }

    /// Makes a link in it.
    public func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    }

    /// Writes a text to a file, and returns its path.
    @discardableResult public func write(_ text: some StringProtocol, to name: String) -> String {
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
