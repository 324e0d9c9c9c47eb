import Foundation
import TestSupport

/// The programs that were built together with this test bundle, or those in the folder that the environment's
/// `STATE_INSPECT_PRODUCTS` names: an optimised build is tested so.
enum BuiltProducts {
    /// The folder that the programs lie in.
    static let folder =
        ProcessInfo.processInfo.environment["STATE_INSPECT_PRODUCTS"].map { URL(fileURLWithPath: $0) } ?? bundleFolder

    private static let bundleFolder: URL = {
        #if os(macOS)
        for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
            return bundle.bundleURL.deletingLastPathComponent()
        }
        #endif
        return Bundle.main.bundleURL
    }()

    static let stateInspect = folder.appendingPathComponent("state-inspect").path
    static let shop = folder.appendingPathComponent("shop").path
    /// A program of the tests' own, which is built with them.
    static let crashing = bundleFolder.appendingPathComponent("crashing").path

    /// The folder of the sample journals.
    static let samples = SharedFolder.packageRoot.appendingPathComponent("samples")

    /// The path of a sample journal.
    static func sample(_ name: String) -> String { samples.appendingPathComponent(name).path }
}
