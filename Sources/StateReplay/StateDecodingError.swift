package import Diagnostics

/// Why a recorded value does not become a Swift value, and where in the state it is.
package struct StateDecodingError: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        /// The value is not of the form that the type has.
        case mismatch(expected: String, found: String)
        case missing
        /// The recorder kept the value secret.
        case redacted
        /// The value was larger than the recorder's limit.
        case omitted
        case tooDeep(limit: Int)
        /// The type's own `init(from:)` threw; with its words.
        case refused(String)
    }

    /// JSON Pointer of the value within the store's state (RFC 6901), empty for the state itself.
    package var path: String
    /// The Swift type that the value was to become.
    package var type: String
    package var reason: Reason
}

extension StateDecodingError {
    /// - Parameters:
    ///   - place: where it came from, if that is known.
    ///   - type: what was being decoded there.
    init(_ error: any Error, at place: DecodingPlace, type: Any.Type) {
        let name = "\(type)"
        guard let error = error as? DecodingError else {
            let words = "its 'init(from:)' threw '\(Swift.type(of: error))'"
            self.init(path: place.codingPath.pointer, type: name, reason: .refused(words))
            return
        }
        switch error {
        case .keyNotFound(let key, let context):
            self.init(path: (context.codingPath + [key]).pointer, type: name, reason: .missing)
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            if let own = context.underlyingError as? StateDecodingError {
                self = own
            } else {
                self.init(path: context.codingPath.pointer, type: name, reason: .refused(context.debugDescription))
            }
        @unknown default:
            self.init(path: place.codingPath.pointer, type: name, reason: .refused("\(error)"))
        }
    }

    var words: String {
        switch reason {
        case .mismatch(let expected, let found): "expected \(expected), found \(found)"
        case .missing: "there is no such member"
        case .redacted: "the recorder redacted the value"
        case .omitted: "the value was over the recorder's limit"
        case .tooDeep(let limit): "values may nest \(limit) levels here"
        case .refused(let words): words
        }
    }
}

extension StateDecodingError: DiagnosticConvertible {
    /// The error as a sentence with its reason and a remedy.
    package var diagnostic: Diagnostic {
        let place = path.isEmpty ? "the recorded state" : "'\(path)'"
        switch reason {
        case .mismatch(let expected, let found):
            return Diagnostic(
                code: "decoding.mismatch", "\(place) is \(found), should be \(expected)",
                notes: ["'\(type)' is decoded from it"],
                help: ["decode it as the type that it was recorded from, or a version of that"])
        case .missing:
            return Diagnostic(
                code: "decoding.missing", "the recorded state has no \(place)",
                notes: ["'\(type)' has a property of that name"],
                help: ["a type that gained a property since needs an 'init(from:)' that gives it a value"])
        case .redacted:
            return withheld("decoding.redacted", "\(place) was redacted when it was recorded")
        case .omitted:
            return withheld(
                "decoding.omitted", "\(place) was larger than the recorder's limit and is not in the journal")
        case .tooDeep(let limit):
            return Diagnostic(
                code: "decoding.too-deep", "\(place) is nested too deep to be decoded",
                notes: ["values may nest \(limit) levels on this thread's stack"])
        case .refused(let words):
            return Diagnostic(
                code: "decoding.refused", "\(place) cannot be decoded as '\(type)'", notes: [words],
                help: ["decode it as the type that it was recorded from, or a version of that"])
        }
    }

    private func withheld(_ code: String, _ message: String) -> Diagnostic {
        Diagnostic(
            code: code, message, notes: ["'\(type)' cannot be made without it"],
            help: ["give a value for it: 'substituting: [\"\(path)\": …]'"])
    }
}
