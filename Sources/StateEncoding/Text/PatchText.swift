/// The text of a patch while it is written: RFC 6902 operations, `replace` and `remove` with the `old` of the journal.
struct PatchText {
    /// The bytes so far, from the opening bracket on.
    private(set) var bytes: [UInt8] = []
    private var isEmpty = true

    /// Starts a patch, keeping the buffer.
    mutating func begin() {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(UInt8(ascii: "["))
        isEmpty = true
    }

    /// Ends the patch.
    mutating func end() {
        bytes.append(UInt8(ascii: "]"))
    }

    // Few long pieces: a piece costs more than its bytes.

    /// `remove`, with what was there.
    mutating func remove(_ path: [EncodingPass.PathSegment], old: [UInt8]) {
        open("{\"op\":\"remove\",\"path\":\"", path)
        member("\",\"old\":", old)
        append("}")
    }

    /// `add`.
    mutating func add(_ path: [EncodingPass.PathSegment], value: [UInt8]) {
        open("{\"op\":\"add\",\"path\":\"", path)
        member("\",\"value\":", value)
        append("}")
    }

    /// `replace`, with what was there.
    mutating func replace(_ path: [EncodingPass.PathSegment], value: [UInt8], old: [UInt8]) {
        open("{\"op\":\"replace\",\"path\":\"", path)
        member("\",\"value\":", value)
        member(",\"old\":", old)
        append("}")
    }

    /// `move` of an element within the array at `path`.
    mutating func move(_ path: [EncodingPass.PathSegment], from: Int, to: Int) {
        open("{\"op\":\"move\",\"from\":\"", path)
        append(index: from)
        append("\",\"path\":\"")
        append(path)
        append(index: to)
        append("\"}")
    }

    private mutating func open(_ operation: StaticString, _ path: [EncodingPass.PathSegment]) {
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
        isEmpty = false
        append(operation)
        append(path)
    }

    private mutating func member(_ name: StaticString, _ value: [UInt8]) {
        append(name)
        bytes.append(contentsOf: value)
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    private mutating func append(index: Int) {
        bytes.append(UInt8(ascii: "/"))
        JSONText.append(Int64(index), to: &bytes)
    }

    private mutating func append(_ path: [EncodingPass.PathSegment]) {
        for segment in path {
            switch segment {
            case .key(let key):
                JSONText.appendPointerSegment(key, to: &bytes)
            case .index(let index): append(index: index)
            }
        }
    }
}
