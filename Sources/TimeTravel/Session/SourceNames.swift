import JSONCore
import JournalFormat

/// What a typed file or function means of a place in the source, as records name it.
package enum SourceNames {
    /// `Cart.swift` and `Shop/Cart.swift` both name the file `Shop/Cart.swift`.
    package static func isFile(_ recorded: String, _ typed: String) -> Bool {
        UTF8Order.equal(recorded, typed) || recorded.hasSuffix("/" + typed)
    }

    /// `add` and `add(_:)` both name the function `add(_:)`.
    package static func isFunction(_ recorded: String, _ typed: String) -> Bool {
        UTF8Order.equal(recorded, typed) || recorded.hasPrefix(typed + "(")
    }
}

extension StopTrigger {
    /// Whether a commit was made at the place of a breakpoint; false for any other trigger.
    ///
    /// - Complexity: one look over the line; only its `at` is decoded.
    func isMet(by commit: OwnedRecord) -> Bool {
        switch self {
        case .source(let file, let line):
            guard let place = commit.place else { return false }
            return SourceNames.isFile(place["file"]?.string ?? "", file)
                && (line == nil || place["line"]?.number?.integerValue == line)
        case .function(let name):
            return commit.place.map { SourceNames.isFunction($0["function"]?.string ?? "", name) } ?? false
        default: return false
        }
    }
}

extension OwnedRecord {
    /// Where the record was made, as it says; nil where it does not.
    fileprivate var place: JSONObject? {
        withLine { line in
            guard let text = LineMembers(line)?["at"], case .object(let place)? = try? JSONParser.parse(text) else {
                return nil
            }
            return place
        }
    }
}
