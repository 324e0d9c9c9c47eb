/// A path as the command takes it: segments, where `*` stands for one and `**` for any number of them.
struct PlainPattern {
    enum Step: Equatable {
        case key(PlainKey)
        case one
        case any
    }

    let steps: [Step]

    init(_ steps: [Step]) { self.steps = steps }

    /// Whether something stands behind a `**`.
    var hasInnerAny: Bool { steps.dropLast().contains(.any) }

    /// Its text: `~2` is a `*` that is meant.
    var text: String {
        steps.map { step in
            switch step {
            case .key(let key): PlainPointer.text([key], star: "~2")
            case .one: "/*"
            case .any: "/**"
            }
        }.joined()
    }

    /// Whether a path is one that is meant.
    func matches(_ path: [PlainKey]) -> Bool { Self.matches(steps[...], path[...]) }

    /// Whether a path is one that is meant, or lies below one.
    func isAtOrAbove(_ path: [PlainKey]) -> Bool { (0...path.count).contains { matches(Array(path.prefix($0))) } }

    private static func matches(_ steps: ArraySlice<Step>, _ path: ArraySlice<PlainKey>) -> Bool {
        switch steps.first {
        case nil: path.isEmpty
        case .any:
            matches(steps.dropFirst(), path) || (!path.isEmpty && matches(steps, path.dropFirst()))
        case .one: !path.isEmpty && matches(steps.dropFirst(), path.dropFirst())
        case .key(let key): path.first == key && matches(steps.dropFirst(), path.dropFirst())
        }
    }

    /// Whether a change at a path touches what is meant: at it, above it or below it.
    func isTouched(by path: [PlainKey]) -> Bool { Self.meets(steps[...], path[...]) }

    private static func meets(_ steps: ArraySlice<Step>, _ path: ArraySlice<PlainKey>) -> Bool {
        guard let step = steps.first, let key = path.first else { return true }
        switch step {
        case .any: return true
        case .one: return meets(steps.dropFirst(), path.dropFirst())
        case .key(let expected): return key == expected && meets(steps.dropFirst(), path.dropFirst())
        }
    }
}
