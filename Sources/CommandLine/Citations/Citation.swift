import Diagnostics
package import JSONCore

/// What an answer rests on: a position of a run, and perhaps a value at that position.
///
/// `cite: FILE ID POSITION POINTER = VALUE`, where FILE, ID and POINTER are quoted as a shell would need it. The pointer begins with
/// the name of a store whatever the answer was scoped to, so that a citation means the same everywhere.
package struct Citation: Sendable, Equatable {
    package static let label = "cite: "

    struct Claim: Sendable, Equatable {
        let pointer: JSONPointer
        let value: String
    }

    package let file: String
    package let id: String
    package let position: Int
    let claim: Claim?

    package var text: String {
        let start = Self.label + ShellQuoting.line([file, id, "\(position)"])
        guard let claim else { return start }
        return start + " " + ShellQuoting.quoted(claim.pointer.text) + " = " + claim.value
    }

    package static let valueLimit = 80

    /// A value in a citation: compact, its members in ascending order, and cut with its length where it is long.
    package static func text(of value: JSONValue) -> String {
        let preview = ValuePreview.text(value.ascending(), limit: 4 * valueLimit)
        let text = LogLine.defused(ControlCharacters.escapedJSON(preview))
        guard text.utf8.count > valueLimit else { return text }
        var front = ""
        for scalar in text.unicodeScalars {
            guard front.utf8.count + String(scalar).utf8.count <= valueLimit else { break }
            front.unicodeScalars.append(scalar)
        }
        return front + "… (" + FittedValue.byteCount(of: value).counted("byte") + ")"
    }
}
