package import JSONCore

/// Keeps copies of copies from making a state out of a small journal that is too large to print.
///
/// What one `copy` takes is bounded by `JSONPatch.copyLimit`. Here what they come to is: now and then the state is measured.
package struct CopyBudget: Sendable {
    /// How many bytes of JSON text a state may have that copies went into.
    package static let stateLimit = 512 << 20
    /// After so many copied bytes the state is measured.
    private static let interval = 64 << 20

    private var copied = 0

    package init() {}

    package mutating func add(_ bytes: Int) { copied += bytes }

    /// - Complexity: O(1), and O(n) in the state once for every 64 MiB that were copied.
    package mutating func check(_ stores: JSONObject) throws(PatchError) {
        guard copied > CopyBudget.interval else { return }
        copied = 0
        guard JSONValue.object(stores).textSize(upTo: CopyBudget.stateLimit) == nil else { return }
        throw PatchError(
            operation: nil, path: JSONPointer(), reason: .copiesTooLarge(limit: CopyBudget.stateLimit))
    }
}
