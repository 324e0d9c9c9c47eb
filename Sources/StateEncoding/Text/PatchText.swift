internal import JSONCore

/// The text of a patch while it is written: RFC 6902 operations, `replace` and `remove` with the `old` of the journal.
struct PatchText {
    private(set) var bytes: [UInt8] = []
    private var isEmpty = true

    mutating func begin() {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(UInt8(ascii: "["))
        isEmpty = true
    }

    var position: (count: Int, isEmpty: Bool) { (bytes.count, isEmpty) }

    mutating func cut(to position: (count: Int, isEmpty: Bool)) {
        bytes.removeSubrange(position.count...)
        isEmpty = position.isEmpty
    }

    mutating func end() {
        bytes.append(UInt8(ascii: "]"))
    }

    // Few long pieces: a piece costs more than its bytes.

    mutating func remove(_ path: [EncodingPass.PathSegment], old: [UInt8]) {
        open("{\"op\":\"remove\",\"path\":\"", path)
        member("\",\"old\":", old)
        append("}")
    }

    mutating func add(_ path: [EncodingPass.PathSegment], value: [UInt8]) {
        open("{\"op\":\"add\",\"path\":\"", path)
        member("\",\"value\":", value)
        append("}")
    }

    mutating func replace(_ path: [EncodingPass.PathSegment], value: [UInt8], old: [UInt8]) {
        open("{\"op\":\"replace\",\"path\":\"", path)
        member("\",\"value\":", value)
        member(",\"old\":", old)
        append("}")
    }

    mutating func remove(_ place: Int, of array: ElementsPointer, old: ByteView) {
        open("{\"op\":\"remove\",\"path\":\"", array, place)
        member("\",\"old\":", old)
        append("}")
    }

    mutating func add(_ place: Int, of array: ElementsPointer, value: ByteView) {
        open("{\"op\":\"add\",\"path\":\"", array, place)
        member("\",\"value\":", value)
        append("}")
    }

    mutating func replace(
        _ place: Int, of array: ElementsPointer, value: ByteView, old: ByteView
    ) {
        open("{\"op\":\"replace\",\"path\":\"", array, place)
        member("\",\"value\":", value)
        member(",\"old\":", old)
        append("}")
    }

    mutating func move(_ path: [EncodingPass.PathSegment], from: Int, to: Int) {
        open("{\"op\":\"move\",\"from\":\"", path)
        bytes.append(index: from)
        append("\",\"path\":\"")
        bytes.append(pointer: path)
        bytes.append(index: to)
        append("\"}")
    }

    private mutating func open(_ operation: StaticString, _ path: [EncodingPass.PathSegment]) {
        open(operation)
        bytes.append(pointer: path)
    }

    private mutating func open(_ operation: StaticString, _ array: ElementsPointer, _ place: Int) {
        open(operation)
        bytes.append(contentsOf: array.text)
        JSONText.append(Int64(place), to: &bytes)
    }

    private mutating func open(_ operation: StaticString) {
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
        isEmpty = false
        append(operation)
    }

    private mutating func member(_ name: StaticString, _ value: [UInt8]) { value.withBytes { member(name, $0) } }

    private mutating func member(_ name: StaticString, _ value: ByteView) {
        append(name)
        bytes.append(contentsOf: value)
    }

    private mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: ByteView(text))
    }
}

struct ElementsPointer {
    fileprivate let text: [UInt8]

    init(_ path: [EncodingPass.PathSegment]) {
        var text: [UInt8] = []
        text.append(pointer: path)
        text.append(UInt8(ascii: "/"))
        self.text = text
    }
}

extension [UInt8] {
    fileprivate mutating func append(index: Int) {
        append(UInt8(ascii: "/"))
        JSONText.append(Int64(index), to: &self)
    }

    fileprivate mutating func append(pointer path: [EncodingPass.PathSegment]) {
        for segment in path {
            switch segment {
            case .key(let key): JSONText.appendPointerSegment(key, to: &self)
            case .index(let index): append(index: index)
            }
        }
    }
}
