import JSONCore

/// A path as people write it whose names are to be made of values of the line: `/acc/{id}`, `/acc/\(.id)`, `/acc/$id`.
///
/// A path has names as they are, so that such a one would make a member called `{id}`.
struct ComputedPath {
    private let segments: [Segment]

    private enum Segment {
        case name(String)
        case query(String)
    }

    init?(_ path: JSONPointer) {
        segments = path.segments.map { name in Self.query(of: name).map(Segment.query) ?? .name(name) }
        guard segments.contains(where: { if case .query = $0 { true } else { false } }) else { return nil }
    }

    func merge(of value: String) -> String {
        let value = value.drop { $0 == " " }
        let isPath = value.wholeMatch(of: /[A-Za-z0-9_.$]+/) != nil
        return segments.reversed().reduce(isPath ? String(value) : "(\(value))") { inner, segment in
            switch segment {
            case .name(let name): "{\(Self.key(name)): \(inner)}"
            case .query(let query): "{(\(query)): \(inner)}"
            }
        }
    }

    private static func key(_ name: String) -> String {
        name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) == nil ? JSONValue.string(name).text() : name
    }

    private static func query(of name: String) -> String? {
        if let found = name.wholeMatch(of: #/(?:\$|:)([A-Za-z_][A-Za-z0-9_]*)|<([^<>]+)>|\((.+)\)/#),
            let inner = found.1 ?? found.2 ?? found.3
        {
            return "\(path(inner)) | tostring"
        }
        guard let found = name.firstMatch(of: #/\\\(([^)]+)\)|\$?\{+([^{}]+)\}+/#), let inner = found.1 ?? found.2
        else {
            return nil
        }
        let (before, after) = (name[..<found.range.lowerBound], name[found.range.upperBound...])
        if before.isEmpty, after.isEmpty { return "\(path(inner)) | tostring" }
        func text(_ part: Substring) -> String { String(JSONValue.string(String(part)).text().dropFirst().dropLast()) }
        return "\"\(text(before))\\(\(path(inner)))\(text(after))\""
    }

    /// A bare word is a member of the line.
    private static func path(_ inner: Substring) -> String {
        let inner = inner.drop { $0 == " " }
        return inner.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*/) == nil
            ? String(inner) : ".\(inner)"
    }
}
