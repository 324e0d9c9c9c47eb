#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A fresh folder that goes away with everything in it.
public final class TemporaryFolder {
    /// Where it is.
    public let path: String

    /// Makes the folder.
    public init() {
        var template = Array("/tmp/journal-tests-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!) }
        path = String(cString: made!)
    }

    deinit {
        for name in names { unlink("\(path)/\(name)") }
        for name in names { rmdir("\(path)/\(name)") }
        rmdir(path)
    }

    /// What lies in the folder.
    public var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
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

    /// Reads a whole file.
    public static func read(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count <= 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// The lines of a file, without their newlines.
    public static func lines(_ path: String) -> [String] {
        String(decoding: read(path), as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
