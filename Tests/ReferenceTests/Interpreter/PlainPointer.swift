/// A segment of a pointer, compared by its bytes: Swift's own strings take two spellings of one letter for equal.
struct PlainKey: Hashable, Comparable {
    let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }
    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The index that it is to an array (RFC 6901 §4): digits without a leading zero.
    var index: Int? {
        guard !bytes.isEmpty, bytes.allSatisfy({ (0x30...0x39).contains($0) }), bytes.count == 1 || bytes[0] != 0x30
        else { return nil }
        return Int(text)
    }

    static func < (a: PlainKey, b: PlainKey) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }
}

/// RFC 6901, on lists of segments.
enum PlainPointer {
    /// The segments of a text; nil where it is no pointer.
    static func segments(_ text: String) -> [PlainKey]? {
        if text.isEmpty { return [] }
        let pieces = Array(text.utf8).split(separator: 0x2F, omittingEmptySubsequences: false)
        guard let before = pieces.first, before.isEmpty else { return nil }
        var segments: [PlainKey] = []
        for piece in pieces.dropFirst() {
            var bytes: [UInt8] = []
            var rest = piece
            while let byte = rest.popFirst() {
                guard byte == 0x7E else {
                    bytes.append(byte)
                    continue
                }
                switch rest.popFirst() {
                case 0x30: bytes.append(0x7E)
                case 0x31: bytes.append(0x2F)
                default: return nil
                }
            }
            segments.append(PlainKey(bytes))
        }
        return segments
    }

    /// The text of segments; `*` is written as `star`, which tells a pointer from a pattern.
    static func text(_ segments: [PlainKey], star: String = "*") -> String {
        var bytes: [UInt8] = []
        for segment in segments {
            bytes.append(0x2F)
            if segment.bytes.allSatisfy({ $0 == 0x2A }), !segment.bytes.isEmpty {
                for _ in segment.bytes { bytes += Array(star.utf8) }
                continue
            }
            for byte in segment.bytes {
                switch byte {
                case 0x7E: bytes += [0x7E, 0x30]
                case 0x2F: bytes += [0x7E, 0x31]
                default: bytes.append(byte)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The part of a value at a path, nil where there is none.
    static func value(_ path: some Sequence<PlainKey>, in value: PlainJSON) -> PlainJSON? {
        var value = value
        for key in path {
            switch value {
            case .object(let members):
                guard let member = members[key.text] else { return nil }
                value = member
            case .array(let elements):
                guard let index = key.index, index < elements.count else { return nil }
                value = elements[index]
            default: return nil
            }
        }
        return value
    }

    /// The places of every part of a value with the value itself, in the order in which it is read.
    static func places(in value: PlainJSON, below path: [PlainKey] = []) -> [(path: [PlainKey], value: PlainJSON)] {
        var places = [(path: path, value: value)]
        switch value {
        case .object(let members):
            for (key, member) in members { places += self.places(in: member, below: path + [PlainKey(key)]) }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                places += self.places(in: element, below: path + [PlainKey(String(index))])
            }
        default: break
        }
        return places
    }
}

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
        case .any: matches(steps.dropFirst(), path) || (!path.isEmpty && matches(steps, path.dropFirst()))
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
