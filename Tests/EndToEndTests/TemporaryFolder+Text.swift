import Foundation
import TestSupport

extension TemporaryFolder {
    /// Writes a text into it and returns its path.
    @discardableResult
    func write(_ text: String, to name: String) -> String { write(Array(text.utf8), to: name) }

    /// Writes bytes into it and returns its path.
    @discardableResult
    func write(_ data: Data, to name: String) -> String { write([UInt8](data), to: name) }

    /// Makes `samples` in it the folder of the sample journals, as at the root of the checkout.
    func linkSamples() throws {
        try FileManager.default.createSymbolicLink(
            atPath: path("samples"), withDestinationPath: BuiltProducts.samples.path)
    }
}
