package import Diagnostics

/// Why a value could not become JSON, and where in the state it is.
package struct StateEncodingError: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        case tooDeep(limit: Int)
        /// The text is longer than the caller's limit.
        case tooLong(limit: Int)
        /// Two keys of a dictionary, or two members of one object, have the same text.
        case repeatedKey(String)
        case notEncodable
        /// The value is an instance of a class, which can change without a commit.
        case reference
        /// The value's own `encode(to:)` threw; with its words.
        case refused(String)
        /// The incremental encoding and one from scratch disagree (``EncodingOptions/verifyIncrementalEncoding``).
        case incrementalDifference
    }

    /// JSON Pointer of the value within the state (RFC 6901), empty for the state itself.
    package var path: String
    /// The Swift type of the value at the path.
    package var type: String
    package var reason: Reason

    package init(path: String, type: String, reason: Reason) {
        self.path = path
        self.type = type
        self.reason = reason
    }
}

extension StateEncodingError: DiagnosticConvertible {
    private var shortPath: String { path.count <= 120 ? path : "\(path.prefix(70))…\(path.suffix(45))" }

    /// The error as a sentence with its reason and a remedy.
    package var diagnostic: Diagnostic {
        let place = path.isEmpty ? "the state" : "'\(shortPath)'"
        switch reason {
        case .tooDeep(let limit):
            return Diagnostic(
                code: "encoding.too-deep", "\(place) is nested too deep to be recorded",
                notes: ["values may nest \(limit) levels, '\(type)' lies below that"],
                help: ["leave the property out with a 'CodingKeys', or store a flat form of it"])
        case .tooLong(let limit):
            return Diagnostic(
                code: "encoding.too-long", "\(place) is too long", notes: ["its JSON has more than \(limit) bytes"])
        case .repeatedKey(let key):
            return Diagnostic(
                code: "encoding.repeated-key", "two keys of \(place) have the text '\(key)'",
                notes: ["the keys of '\(type)' become names of a JSON object, which must differ"],
                help: ["give the key type a distinct 'description', raw value or Codable form"])
        case .notEncodable:
            return Diagnostic(
                code: "encoding.not-encodable", "\(place) is not Encodable, so the store is not recorded",
                notes: ["its type is '\(type)'"],
                help: ["declare that '\(type)' conforms to 'Encodable', or make the store with 'recorder: nil'"])
        case .reference:
            return Diagnostic(
                code: "encoding.reference", "\(place) is an instance of a class",
                notes: ["'\(type)' can change without a commit, which no journal would know of"],
                help: [
                    "make it a struct, leave the property out with a 'CodingKeys', or hold it in a struct whose 'encode(to:)' writes what counts of it"
                ])
        case .refused(let words):
            return Diagnostic(
                code: "encoding.refused", "\(place) has no JSON form", notes: ["'\(type)': \(words)"],
                help: ["leave the property out with a 'CodingKeys', or give its type an 'encode(to:)'"])
        case .incrementalDifference:
            return Diagnostic(
                code: "encoding.incremental-difference", "the recorded value of \(place) differs from its encoding",
                notes: ["'\(type)' was encoded again from scratch, with another result"],
                help: ["an 'encode(to:)' must depend on nothing but the value"])
        }
    }
}
