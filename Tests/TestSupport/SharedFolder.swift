public import Foundation

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

    /// Whether a file or folder is there; tests that need it are skipped where it is not.
    public static func has(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
    }

    /// The bytes of a file in it.
    public static func data(_ path: String) throws -> Data {
        try Data(contentsOf: root.appendingPathComponent(path))
    }
}
