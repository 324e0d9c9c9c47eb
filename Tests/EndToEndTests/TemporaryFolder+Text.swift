import Foundation
import TestSupport

extension TemporaryFolder {
    /// Writes bytes into it and returns its path.
    @discardableResult
    func write(_ data: Data, to name: String) -> String { write([UInt8](data), to: name) }

    /// Makes `samples` in it a copy of the samples, as at the root of the checkout: no source is read that a link leads out to.
    func copySamples() throws {
        try FileManager.default.copyItem(atPath: BuiltProducts.samples.path, toPath: path("samples"))
    }
}
