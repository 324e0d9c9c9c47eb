public import Diagnostics

extension PatchError: DiagnosticConvertible {
    /// The error in words, with the operation's number (from 0, as arrays are counted) and its path.
    public var diagnostic: Diagnostic {
        Diagnostic(code: "patch." + reason.code, message, notes: reason.notes)
    }

    private var message: String {
        guard let operation else { return reason.sentence }
        let place = path.segments.isEmpty ? "operation \(operation)" : "operation \(operation) at '\(path.text)'"
        return "\(place) of the patch: \(reason.sentence)"
    }
}

extension PatchError.Reason {
    fileprivate var code: String {
        switch self {
        case .notAnArray, .notAnObject, .missingMember, .notAString, .unknownOperation, .badPointer: "syntax"
        case .pathTooDeep, .copyTooLarge, .copiesTooLarge: "limit"
        case .noSuchMember, .notAnIndex, .indexPastEnd, .noParts, .removesRoot, .movesIntoItself: "no-such-place"
        case .testFailed: "test"
        case .notInvertible: "not-invertible"
        case .notPrunable: "not-prunable"
        }
    }

    fileprivate var sentence: String {
        switch self {
        case .notAnArray: "a JSON Patch is an array, and this is none"
        case .notAnObject: "an operation is an object, and this is none"
        case .missingMember(let name): "the member '\(name)' is missing"
        case .notAString(let member): "the member '\(member)' is not a string"
        case .unknownOperation(let name): "there is no operation '\(name)'"
        case .badPointer(let member, let error): "in '\(member)', \(error.diagnostic.message)"
        case .pathTooDeep(let segments):
            "the path has \(segments) segments, the limit is \(JSONPatch.pathDepthLimit)"
        case .copyTooLarge: "the copied value is over the limit"
        case .copiesTooLarge(let limit): "copies have made the state larger than \(limit) bytes of JSON"
        case .noSuchMember(let name): "there is no member '\(name)'"
        case .notAnIndex(let segment): "'\(segment)' is not an index of an array"
        case .indexPastEnd(let segment, let count): "index \(segment) is past the end, the array holds \(count)"
        case .noParts(let segment): "'\(segment)' is looked for in a value that has no parts"
        case .removesRoot: "the whole value cannot be removed"
        case .movesIntoItself: "a value cannot be moved into itself"
        case .testFailed: "the value differs from the tested one"
        case .notInvertible: "it cannot be inverted"
        case .notPrunable: "it cannot be applied to a part of the state"
        }
    }

    fileprivate var notes: [String] {
        switch self {
        case .unknownOperation: ["RFC 6902 has 'add', 'remove', 'replace', 'move', 'copy' and 'test'"]
        case .copyTooLarge:
            ["'copy' takes at most \(JSONPatch.copyLimit) bytes of JSON, nested \(JSONPatch.copyDepthLimit) deep"]
        case .notInvertible: ["'remove' and 'replace' can be inverted where they have the member 'old', 'copy' never"]
        case .notPrunable: ["a journal's patch moves only between elements of one array"]
        default: []
        }
    }
}
