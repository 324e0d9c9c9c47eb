import JSONCore

/// A JSON Pointer, or a path as people type it.
struct PointerCase {
    private let text: String

    init(_ bytes: [UInt8]) { text = String(decoding: bytes, as: UTF8.self) }

    func run() {
        if let pointer = try? JSONPointer(parsing: text) {
            require(pointer.text == text, "written otherwise: \(pointer.text)")
            require((try? JSONPointer(parsing: pointer.text)) == pointer, "another pointer")
            _ = pointer.value(in: ["a": [1, ["b": .null]], "": ["": 1], "é": 2])
            var bytes = Array(pointer.text.utf8)
            let set = PathSet(pointer)
            bytes.withUnsafeMutableBytes { text in
                // Another pointer's path may be above what is read, never beside it.
                require(
                    set.relation(ofPointerText: text) == set.relation(ofPointer: pointer),
                    "\(pointer)")
            }
        }
        if let steps = try? PathSteps(typed: text) {
            let matcher = PathMatcher([steps])
            for match in matcher.matches(in: [
                "cart": ["items": [["id": 1], ["id": 2]], "total": 3], "*": 1, "a.b": 2,
            ]) {
                require((try? JSONPointer(parsing: match.text)) == match, "a match that is no pointer")
            }
        }
    }
}
