import Foundation

/// A fresh folder for one test, gone with it.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("state-inspect-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of a file in it.
    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Writes a file into it and returns its path.
    @discardableResult
    func write(_ data: some Sequence<UInt8>, to name: String) throws -> String {
        try Data(data).write(to: url.appendingPathComponent(name))
        return path(name)
    }

    /// Writes a text into it and returns its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String { try write(text.utf8, to: name) }
}
