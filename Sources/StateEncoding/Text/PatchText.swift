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

    /// `remove`, with what was there.
    mutating func remove(_ path: [EncodingPass.PathSegment], old: [UInt8]) {
        open("remove")
        member("path", path)
        member("old", old)
        bytes.append(UInt8(ascii: "}"))
    }

    /// `add`.
    mutating func add(_ path: [EncodingPass.PathSegment], value: [UInt8]) {
        open("add")
        member("path", path)
        member("value", value)
        bytes.append(UInt8(ascii: "}"))
    }

    /// `replace`, with what was there.
    mutating func replace(_ path: [EncodingPass.PathSegment], value: [UInt8], old: [UInt8]) {
        open("replace")
        member("path", path)
        member("value", value)
        member("old", old)
        bytes.append(UInt8(ascii: "}"))
    }

    /// `move` of an element within the array at `path`.
    mutating func move(_ path: [EncodingPass.PathSegment], from: Int, to: Int) {
        open("move")
        append(",\"from\":\"")
        append(path, from)
        append("\",\"path\":\"")
        append(path, to)
        append("\"}")
    }

    private mutating func open(_ name: StaticString) {
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
        isEmpty = false
        append("{\"op\":\"")
        append(name)
        append("\"")
    }

    private mutating func member(_ name: StaticString, _ value: [UInt8]) {
        append(",\"")
        append(name)
        append("\":")
        bytes.append(contentsOf: value)
    }

    private mutating func member(_ name: StaticString, _ path: [EncodingPass.PathSegment]) {
        append(",\"")
        append(name)
        append("\":\"")
        append(path)
        append("\"")
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ path: [EncodingPass.PathSegment], _ index: Int) {
        append(path)
        bytes.append(UInt8(ascii: "/"))
        JSONText.append(Int64(index), to: &bytes)
    }

    private mutating func append(_ path: [EncodingPass.PathSegment]) {
        for segment in path {
            switch segment {
            case .key(let key):
                JSONText.appendPointerSegment(key, to: &bytes)
            case .index(let index):
                bytes.append(UInt8(ascii: "/"))
                JSONText.append(Int64(index), to: &bytes)
            }
        }
    }
}
