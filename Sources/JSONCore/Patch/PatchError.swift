/// Why a JSON Patch cannot be read, applied or inverted.
public struct PatchError: Error, Sendable, Equatable {
    /// What is wrong.
    public enum Reason: Error, Sendable, Equatable {
        /// The patch is not an array.
        case notAnArray
        /// The operation is not an object.
        case notAnObject
        /// The operation lacks a member that it needs.
        case missingMember(String)
        /// A member of the operation that must be a string is none.
        case notAString(member: String)
        /// RFC 6902 knows no operation of this name.
        case unknownOperation(String)
        /// `path` or `from` is not a JSON Pointer.
        case badPointer(member: String, JSONPointerError)
        /// The path has more segments than ``JSONPatch/pathDepthLimit``.
        case pathTooDeep(segments: Int)

        /// The path leads through, or ends at, a member that is not there.
        case noSuchMember(String)
        /// An array is addressed by a segment that is not an index.
        case notAnIndex(String)
        /// An index is past the end of its array.
        case indexPastEnd(String, count: Int)
        /// The path leads through a value that has no parts.
        case noParts(segment: String)
        /// The whole value cannot be removed: something has to be there.
        case removesRoot
        /// A value cannot be moved into its own part.
        case movesIntoItself
        /// The value at the path differs from the one that `test` gives.
        case testFailed
        /// A copied value is larger or deeper than the limits for `copy`.
        case copyTooLarge
        /// Copies have made the state larger than the limit for them.
        case copiesTooLarge(limit: Int)

        /// The operation has no member `old`, or is a `copy`: the value before it is not known.
        case notInvertible
        /// The operation needs values that a pruned state does not have.
        case notPrunable
    }

    /// Which operation of the patch, counted from 0; nil where it is the patch as a whole.
    public var operation: Int?
    /// The path of that operation, as far as it could be read.
    public var path: JSONPointer
    /// What is wrong.
    public var reason: Reason

    /// Creates the error from its facts.
    public init(operation: Int?, path: JSONPointer, reason: Reason) {
        self.operation = operation
        self.path = path
        self.reason = reason
    }
}
