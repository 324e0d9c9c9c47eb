public import JSONCore
import JournalFormat

/// Which of several path sets a commit may touch, by its store and the paths of its operations.
///
/// This is worked out once for each path that is met, and mostly found again by the path's bytes: a program writes the same few
/// paths over and over. The first segments of the sets are the stores' names.
public struct Interest: Sendable {
    struct ReadStore: Sendable {
        let name: [UInt8]
        /// What each set reads of it.
        let sets: [PathSet?]
        /// Which sets read anything of it.
        let readers: [Int]

        @inline(__always)
        func isNamed(_ other: ByteView) -> Bool { name.withBytes { $0.hasSameBytes(as: other) } }
    }

    /// How many stores are remembered, with some hundred bytes each; beyond that all is begun anew.
    private static let storeLimit = 1 << 17
    private static let pathCapacity = 1 << 10

    let sets: [PathSet]
    private(set) var stores: [ReadStore] = []
    /// The store that was met last: runs of commits are mostly of one store.
    private(set) var current = 0
    /// Indexes into the questions by the name of a store; the last names also by bytes that need not be copied.
    private var places: [[UInt8]: Int] = [:]
    private var recentPlaces = RecentTexts<Int>(capacity: 1 << 10)
    /// The sets that an operation at a path of a store touches.
    private var touches = RecentTexts<Members>(capacity: pathCapacity)

    /// Some of the sets, a bit each; those after the last bit count as one.
    public struct Members: Sendable {
        @usableFromInline var low: UInt64
        @usableFromInline var high: UInt64

        init(low: UInt64 = 0, high: UInt64 = 0) { (self.low, self.high) = (low, high) }

        /// All of them.
        public static let all = Members(low: .max, high: .max)

        @inline(__always)
        var isEmpty: Bool { low | high == 0 }

        /// Whether a set is among them.
        @inlinable @inline(__always)
        public subscript(index: Int) -> Bool {
            index < 64 ? low &>> UInt64(index) & 1 == 1 : high &>> UInt64(min(index, 127) &- 64) & 1 == 1
        }

        @inline(__always)
        mutating func formUnion(_ other: Members) {
            low |= other.low
            high |= other.high
        }

        mutating func insert(_ index: Int) {
            if index < 64 { low |= 1 &<< UInt64(index) } else { high |= 1 &<< UInt64(min(index, 127) &- 64) }
        }
    }

    /// The interest of several questions.
    public init(_ sets: [PathSet]) { self.sets = sets }

    /// - Returns: false where all that was remembered of stores was begun anew for it.
    @inline(__always)
    @discardableResult
    mutating func enter(_ store: ByteView) -> Bool {
        if current < stores.count, stores[current].isNamed(store) { return true }
        if let place = recentPlaces.value(of: store), place < stores.count, stores[place].isNamed(store) {
            current = place
            return true
        }
        return find(store)
    }

    @inline(never)
    private mutating func find(_ name: ByteView) -> Bool {
        let key = [UInt8](name)
        var isKept = true
        if let place = places[key] {
            current = place
        } else {
            if stores.count >= Interest.storeLimit {
                self = Interest(sets)
                isKept = false
            }
            current = stores.count
            places[key] = current
            let read = sets.map { $0.root?.node(forKey: name).map { PathSet($0) } }
            stores.append(ReadStore(name: key, sets: read, readers: read.indices.filter { read[$0] != nil }))
        }
        recentPlaces.keep(current, of: name)
        return isKept
    }

    /// The sets that an operation at a path of the current store may touch.
    ///
    /// - Parameter inserting: whether it puts in or takes out: then it writes the whole array, if its place is an element of one.
    @inline(__always)
    mutating func touched(by path: ByteView, inserting: Bool) -> Members {
        let beside = current &* 2 &+ (inserting ? 1 : 0)
        return touches.value(of: path, beside: beside) ?? find(path, inserting, beside)
    }

    @inline(never)
    private mutating func find(_ path: ByteView, _ inserting: Bool, _ beside: Int) -> Members {
        var found = Members()
        for index in stores[current].readers
        where stores[current].sets[index]?.mayBeTouched(at: path, inserting: inserting) ?? false { found.insert(index) }
        touches.keep(found, of: path, beside: beside)
        return found
    }

    @inline(__always)
    mutating func isTouched(by operation: PatchOperation) -> Bool {
        operation.anyPlace { path, inserting in !touched(by: path, inserting: inserting).isEmpty }
    }

    /// The sets that a record may touch: never fewer than it does, and all if the line has to be decoded.
    public mutating func touched(by line: RecordLine) -> Members {
        guard line.kind == .commit, let commit = CommitText(line) else { return .all }
        _ = commit.store.withBytes { enter($0) }
        var touched = Members()
        for operation in commit.operations {
            let isUnknown = operation.anyPlace { path, isInserting in
                touched.formUnion(self.touched(by: path, inserting: isInserting))
                return false
            }
            if isUnknown { return .all }
        }
        return touched
    }
}
