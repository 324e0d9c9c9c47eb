/// A stack whose top is moved out as one array, without counting a reference.
///
/// An `Array` would copy what is taken off it and release the original, for each value of a text.
struct MoveStack<Element>: ~Copyable {
    private var base: UnsafeMutablePointer<Element>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int = 32) {
        self.capacity = max(1, capacity)
        base = .allocate(capacity: self.capacity)
    }

    deinit {
        base.deinitialize(count: count)
        base.deallocate()
    }

    /// The topmost element; only where there is one.
    var last: Element { base[count - 1] }

    @inline(__always)
    mutating func push(_ element: consuming Element) {
        if count == capacity { grow() }
        (base + count).initialize(to: element)
        count &+= 1
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: 2 * capacity)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        base = larger
        capacity *= 2
    }

    /// Takes the topmost element off, or nil where there is none.
    mutating func pop() -> Element? {
        guard count > 0 else { return nil }
        count &-= 1
        return (base + count).move()
    }

    /// Takes everything from a height on off, as an array.
    mutating func take(from height: Int) -> [Element] {
        let taken = count - height
        guard taken > 0 else { return [] }
        count = height
        let first = base + height
        // Not `init(unsafeUninitializedCapacity:)`: it looks the array's type up each time.
        var result: [Element] = []
        result.reserveCapacity(taken)
        for place in 0..<taken { result.append((first + place).move()) }
        return result
    }
}

extension JSONObject {
    /// Takes keys and values from two heights on off their stacks, as members.
    static func takeMembers(
        _ keys: inout MoveStack<String>, from firstKey: Int, _ values: inout MoveStack<JSONValue>, from firstValue: Int
    ) -> [Member] {
        keys.takePairs(from: firstKey, &values, from: firstValue) { Member($0, $1) }
    }
}

extension MoveStack {
    /// Takes two stacks' tops of the same size off together.
    fileprivate mutating func takePairs<Other, Pair>(
        from height: Int, _ others: inout MoveStack<Other>, from otherHeight: Int,
        _ pair: (consuming Element, consuming Other) -> Pair
    ) -> [Pair] {
        let taken = count - height
        precondition(others.count - otherHeight == taken, "MoveStack: as many of both")
        guard taken > 0 else { return [] }
        count = height
        others.count = otherHeight
        let (left, right) = (base + height, others.base + otherHeight)
        var result: [Pair] = []
        result.reserveCapacity(taken)
        for place in 0..<taken { result.append(pair((left + place).move(), (right + place).move())) }
        return result
    }
}
