internal import JSONCore

/// Texts in one buffer with a comma between them: what an array of them is between its brackets.
///
/// Half of a large set may change in one commit, and a buffer for each text would cost more than everything else that is done with it.
struct TextList {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    init() {}

    init(capacity: Int) {
        ends.reserveCapacity(capacity)
    }

    var count: Int { ends.count }
    var isEmpty: Bool { ends.isEmpty }

    mutating func append<Failure>(_ write: (inout [UInt8]) throws(Failure) -> Void) throws(Failure) {
        if !ends.isEmpty { bytes.append(UInt8(ascii: ",")) }
        try write(&bytes)
        ends.append(bytes.count)
    }

    private mutating func append(_ place: Int, of other: TextList) { append(place..<place + 1, of: other) }

    private mutating func append(_ places: Range<Int>, of other: TextList) {
        if places.isEmpty { return }
        if !ends.isEmpty { bytes.append(UInt8(ascii: ",")) }
        let start = other.start(places.lowerBound)
        let shift = bytes.count - start
        other.bytes.withBytes {
            bytes.append(contentsOf: $0.extracting(start..<other.ends[places.upperBound - 1]))
        }
        for place in places { ends.append(other.ends[place] + shift) }
    }

    private func start(_ place: Int) -> Int { place == 0 ? 0 : ends[place - 1] + 1 }

    func appendArray(to text: inout [UInt8]) {
        text.append(UInt8(ascii: "["))
        text.append(contentsOf: bytes)
        text.append(UInt8(ascii: "]"))
    }

    func withText<Result>(_ place: Int, _ body: (ByteView) -> Result) -> Result {
        bytes.withBytes { body($0.extracting(start(place)..<ends[place])) }
    }

    /// Negative, zero or positive as the text at a place is before, equal to or after one of another list.
    private func order(_ place: Int, _ otherPlace: Int, of other: TextList) -> Int {
        withText(place) { one in
            other.withText(otherPlace) { other in
                one.order(beside: other)
            }
        }
    }

    // MARK: Order

    /// The texts in ascending order of their bytes; most comparisons are decided by a word of the first eight.
    func sorted() -> TextList {
        if count < 2 { return self }
        var entries = (0..<count).map { (word: firstWord($0), place: $0) }
        entries.sort { $0.word != $1.word ? $0.word < $1.word : order($0.place, $1.place, of: self) < 0 }
        var sorted = TextList(capacity: count)
        sorted.bytes.reserveCapacity(bytes.count)
        for entry in entries { sorted.append(entry.place, of: self) }
        return sorted
    }

    private func firstWord(_ place: Int) -> UInt64 {
        withText(place) { text in
            if text.count >= 8 { return text.load(at: 0, as: UInt64.self).byteSwapped }
            var word: UInt64 = 0
            for byte in text { word = word << 8 | UInt64(byte) }
            // A shift by 64 bits leaves nothing.
            return word << UInt64(64 - text.count * 8)
        }
    }

    /// The first place, from one on, of a text that is not before one of another list; searched in growing steps, so that a near one
    /// is found at once.
    private func firstPlace(notBefore place: Int, of other: TextList, from start: Int) -> Int {
        var (low, high, step) = (start, start, 1)
        while high < count, order(high, place, of: other) < 0 { (low, high, step) = (high + 1, high + step, step * 2) }
        high = min(high, count)
        while low < high {
            let middle = (low + high) / 2
            if order(middle, place, of: other) < 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }

    // MARK: Difference

    struct Edit {
        /// The old list's places of what is removed.
        fileprivate(set) var removals: [Int] = []
        /// What is added, by its place in the list of additions and in the new list.
        fileprivate(set) var additions: [(place: Int, newPlace: Int)] = []
        fileprivate(set) var result = TextList()
    }

    /// The edit of this ascending list that removes and adds texts, each in ascending order.
    ///
    /// A text that is in both is neither removed nor added: another buffer with it, or an equal element.
    ///
    /// - Complexity: O(n) for the new list; O(k log(n / k)) comparisons of texts, since each search begins where the last one ended.
    func edit(removing gone: TextList, adding come: TextList) -> Edit {
        var edit = Edit()
        var (left, right) = (0, 0)
        var arrivals: [(place: Int, oldPlace: Int)] = []
        var (nextGone, nextCome) = (0, 0)
        while left < gone.count || right < come.count {
            let order =
                left == gone.count ? 1 : right == come.count ? -1 : gone.order(left, right, of: come)
            if order < 0 {
                nextGone = firstPlace(notBefore: left, of: gone, from: nextGone)
                edit.removals.append(nextGone)
                // Two elements with one text are neighbours.
                nextGone += 1
            }
            if order > 0 {
                nextCome = firstPlace(notBefore: right, of: come, from: nextCome)
                arrivals.append((right, nextCome))
            }
            if order <= 0 { left += 1 }
            if order >= 0 { right += 1 }
        }
        fill(&edit, arrivals, of: come)
        return edit
    }

    private func fill(_ edit: inout Edit, _ arrivals: [(place: Int, oldPlace: Int)], of come: TextList) {
        var result = TextList(capacity: count - edit.removals.count + arrivals.count)
        result.bytes.reserveCapacity(bytes.count + come.bytes.count)
        edit.additions.reserveCapacity(arrivals.count)
        var removals = edit.removals[...]
        var copied = 0
        func copy(until place: Int) {
            while let removal = removals.first, removal < place {
                result.append(copied..<removal, of: self)
                copied = removal + 1
                removals.removeFirst()
            }
            result.append(copied..<place, of: self)
            copied = place
        }
        for arrival in arrivals {
            copy(until: arrival.oldPlace)
            edit.additions.append((arrival.place, result.count))
            result.append(arrival.place, of: come)
        }
        copy(until: count)
        edit.result = result
    }
}
