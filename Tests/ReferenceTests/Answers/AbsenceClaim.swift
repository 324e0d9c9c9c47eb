/// What a refusal says of a condition, that it names what the run never has: held against every state.
struct AbsenceClaim {
    private let pattern: PlainPattern

    /// The claim of the first error among messages; nil where that makes none.
    init?(_ messages: String) {
        func quoted(_ line: Substring, after beginning: String) -> Substring? {
            guard line.hasPrefix(beginning), let end = line.lastIndex(of: "'") else { return nil }
            return line[..<end].dropFirst(beginning.count)
        }
        let lines = messages.split(separator: "\n")
        guard let error = lines.first(where: { $0.hasPrefix("state-inspect: error: ") }) else { return nil }
        if let store = quoted(error, after: "state-inspect: error: there is no store '") {
            pattern = PlainPattern([.key(PlainKey(String(store)))])
        } else if let path = quoted(error, after: "state-inspect: error: nothing was ever at '"),
            let segments = PlainPointer.segments(String(path))
        {
            pattern = PlainPattern(segments.map { $0 == PlainKey("*") ? .one : .key($0) })
        } else {
            return nil
        }
    }

    /// Where it is there all the same; nil where it never is.
    func fault(in journal: PlainJournal) -> String? {
        for (position, state) in journal.states.sorted(by: { $0.key < $1.key }) {
            let places = PlainPointer.places(in: state)
            if let place = places.first(where: { pattern.matches($0.path) }) {
                return "there is '\(PlainPointer.text(place.path))' at \(position)"
            }
        }
        return nil
    }
}
