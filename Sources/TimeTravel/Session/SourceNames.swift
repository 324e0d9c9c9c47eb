import JSONCore
import JournalFormat
import JournalReading

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
    /// Where the app named a commit, that is what people see in the place of the function, so both are meant.
    ///
    /// - Complexity: the line is read once; only its `at` and `name` are decoded.
    func isMet(by commit: OwnedRecord) -> Bool {
        switch self {
        case .source(let file, let line):
            guard let place = commit.place else { return false }
            return SourceNames.isFile(place["file"]?.string ?? "", file)
                && (line == nil || place["line"]?.number?.integerValue == line)
        case .function(let name):
            if commit.name.map({ UTF8Order.equal($0, name) }) == true { return true }
            return commit.place.map { SourceNames.isFunction($0["function"]?.string ?? "", name) } ?? false
        default: return false
        }
    }
}

extension OwnedRecord {
    /// Where the record was made, as it says; nil where it does not.
    fileprivate var place: JSONObject? {
        guard case .object(let place)? = member("at") else { return nil }
        return place
    }

    /// What the app called it; nil where it did not.
    fileprivate var name: String? { member("name")?.string }

    private func member(_ name: StaticString) -> JSONValue? {
        withLine { line in LineMembers(line)?[name].flatMap { try? JSONParser.parse($0) } }
    }
}
