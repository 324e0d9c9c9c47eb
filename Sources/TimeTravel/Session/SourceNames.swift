import JSONCore
import JournalFormat
import JournalReading

/// What a typed file or function means of a place in the source, as records name it.
package enum SourceNames {
    /// `Cart.swift` and `Shop/Cart.swift` both name the file `Shop/Cart.swift`.
    package static func isFile(_ recorded: String, _ typed: String) -> Bool {
        UTF8Order.equal(recorded, typed) || UTF8Order.ends(recorded, with: "/" + typed)
    }

    /// `add` and `add(_:)` both name the function `add(_:)`.
    package static func isFunction(_ recorded: String, _ typed: String) -> Bool {
        UTF8Order.equal(recorded, typed) || UTF8Order.begins(recorded, with: typed + "(")
    }

    /// Whether a commit of a function, or of a name that the app gave it, is called so; `*` and `?` stand for other text.
    package static func isCalled(_ typed: String, _ function: String?, _ name: String?) -> Bool {
        if let name, UTF8Order.equal(name, typed) { return true }
        if let function, isFunction(function, typed) { return true }
        guard typed.unicodeScalars.contains(where: { $0 == "*" || $0 == "?" }) else { return false }
        let glob = Glob(typed)
        return [function, name].compactMap(\.self).contains(where: glob.matches)
    }
}

extension StopTrigger {
    /// The commit's function or the name that the app gave it counts; the line is read once.
    func isMet(by commit: OwnedRecord) -> Bool {
        switch self {
        case .source(let file, let line):
            guard let place = commit.place else { return false }
            return SourceNames.isFile(place["file"]?.string ?? "", file)
                && (line == nil || place["line"]?.number?.integerValue == line)
        case .function(let name):
            return SourceNames.isCalled(name, commit.place?["function"]?.string, commit.name)
        default: return false
        }
    }
}

extension OwnedRecord {
    fileprivate var place: JSONObject? {
        guard case .object(let place)? = member("at") else { return nil }
        return place
    }

    fileprivate var name: String? { member("name")?.string }
    private func member(_ name: String) -> JSONValue? { withLine { line in (try? line.token())?[name]?.value() } }
}

/// A pattern as shells have it: `*` stands for any text, `?` for one character; everything else is itself.
package struct Glob: Sendable, Equatable {
    package let text: String
    private let pattern: [Unicode.Scalar]

    package init(_ text: String) {
        self.text = text
        pattern = Array(text.unicodeScalars)
    }

    /// - Complexity: O(n · m) at worst, for a pattern of m characters and a text of n: on a mismatch only the last `*`
    ///   takes one character more, which is enough (no earlier one could do better).
    package func matches(_ text: String) -> Bool {
        let text = Array(text.unicodeScalars)
        var at = 0
        var next = 0
        var star: (pattern: Int, text: Int)?
        while at < text.count {
            if next < pattern.count, pattern[next] == "*" {
                star = (next, at)
                next += 1
            } else if next < pattern.count, pattern[next] == "?" || pattern[next] == text[at] {
                next += 1
                at += 1
            } else if let last = star {
                star = (last.pattern, last.text + 1)
                next = last.pattern + 1
                at = last.text + 1
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy { $0 == "*" }
    }
}
