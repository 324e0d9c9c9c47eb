public import Foundation

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

/// The folder of other people's suites and data, read in place and never part of the project.
public enum SharedFolder {
    /// Where it is: the environment's `STATE_INSPECT_SHARED`, else `shared` beside the checkout.
    public static let root: URL = {
        if let named = ProcessInfo.processInfo.environment["STATE_INSPECT_SHARED"] {
            return URL(fileURLWithPath: named)
        }
        return packageRoot.deletingLastPathComponent().appendingPathComponent("shared")
    }()

    /// The root of this package's checkout.
    public static let packageRoot: URL =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The path of a program in another language that a test runs.
    public static func testScript(_ name: String) -> String {
        packageRoot.appendingPathComponent("Tests/Scripts/" + name).path
    }

    /// Whether a file or folder is there; tests that need it are skipped where it is not.
    public static func has(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
    }

    /// The bytes of a file in it.
    public static func data(_ path: String) throws -> Data {
        try Data(contentsOf: root.appendingPathComponent(path))
    }
}

/// What the current thread spends of a processor: unlike the clock on the wall, it does not run while others have the processor.
public enum ProcessorTime {
    /// The seconds that some work takes on this thread.
    public static func seconds<Failure: Error>(_ work: () throws(Failure) -> Void) throws(Failure) -> Double {
        let start = now
        try work()
        return now - start
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
