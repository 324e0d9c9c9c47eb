/// Walks over the members of one line's record, from the front or from after its kind, in whatever form it is written.
struct MemberWalk {
    /// Stands before the value of the member whose name ``next()`` gave: the caller steps over it.
    var scanner: LineScanner
    private var isInside: Bool
    private var isFirst: Bool
    /// Whether the record ends where the line does: known once ``next()`` gave nil.
    private(set) var isWhole = false

    /// Begins a walk.
    ///
    /// - Parameter start: after a member, as ``LineHead/end`` is; 0 for the line's front.
    @inline(__always)
    init(_ line: UnsafeRawBufferPointer, from start: Int) {
        var scanner = LineScanner(line, at: start)
        isFirst = start == 0
        isInside = isFirst ? scanner.take(0x7B) : true
        self.scanner = scanner
    }

    /// The next member's name; nil at the end, and where the line cannot be followed.
    @inline(__always)
    mutating func next() -> LineString? {
        guard isInside else { return nil }
        if !(isFirst ? !scanner.isNext(0x7D) : scanner.take(0x2C)) {
            isInside = false
            isWhole = scanner.take(0x7D) && scanner.isAtEnd()
            return nil
        }
        isFirst = false
        guard let name = scanner.string(), scanner.take(0x3A) else {
            isInside = false
            return nil
        }
        return name
    }
}
