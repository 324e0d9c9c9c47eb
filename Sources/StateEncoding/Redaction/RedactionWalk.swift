internal import JSONCore
internal import JournalFormat

/// Follows a walk over a state and tells where it is at a part that is redacted.
///
/// The patterns are made into an automaton as the walk meets new places: a step costs one look-up by the member's name, and
/// none where nothing below can be redacted. Its size depends on the patterns only, never on the state.
final class RedactionWalk {
    /// More places than this are none that a person writes down; what lies below one too many is redacted.
    private static let placeLimit = 4096

    /// What the automaton knows of one kind of place.
    private struct Place {
        let paths: RedactionPaths
        let isMatch: Bool
        /// The places below the members that matter by name; -1 for one not looked at yet.
        var members: [UTF8Key: Int]
        var otherMember = -1
        var element = -1

        init(_ paths: RedactionPaths) {
            self.paths = paths
            isMatch = paths.isMatch
            members = [:]
            for name in paths.names { members[UTF8Key(name)] = -1 }
        }
    }

    private(set) var paths: RedactionPaths
    private var places: [Place] = []
    private var known: [[ArraySlice<PathSteps.Step>]: Int] = [:]
    @exclusivity(unchecked) private var stack: [Int] = []
    @exclusivity(unchecked) private var current = 0
    /// How many times it was asked to look away: what is hashed is written whole.
    @exclusivity(unchecked) private var suspensions = 0
    /// The canonical texts of what was redacted, while they are collected.
    private(set) var found: [[UInt8]]?
    /// The latest of them, each once, from any time.
    private(set) var latest: [[UInt8]] = []
    private static let latestLimit = 64
    /// A longer text is more than a scalar that an action would repeat.
    private static let latestLength = 1024

    init(_ paths: RedactionPaths) {
        self.paths = paths
        current = place(paths)
    }

    /// Has other parts redacted from now on.
    func redact(_ paths: RedactionPaths) {
        self.paths = paths
        places = []
        known = [:]
        _ = place(paths)
        begin()
    }

    /// Starts at the root.
    func begin() {
        stack.removeAll(keepingCapacity: true)
        current = 0
        suspensions = 0
    }

    /// Whether the part that the walk is at is redacted.
    @inline(__always)
    var isRedacted: Bool { suspensions == 0 && places[current].isMatch }

    /// Whether values are written whole, to be hashed.
    var isSuspended: Bool { suspensions > 0 }

    func enter(_ segment: EncodingPass.PathSegment) {
        stack.append(current)
        switch segment {
        case .index: current = element(of: current)
        case .key(let name): current = member(name, of: current)
        }
    }

    func leave() { current = stack.removeLast() }

    /// Runs a closure for which nothing is redacted.
    func suspended(_ body: () throws(StateEncodingError) -> Void) throws(StateEncodingError) {
        suspensions += 1
        try body()
        suspensions -= 1
    }

    /// Appends what stands for a redacted part with this canonical text.
    func append(_ canonical: [UInt8], to bytes: inout [UInt8]) {
        found?.append(canonical)
        remember(canonical)
        paths.key.appendRedacted(canonical, to: &bytes)
    }

    private func remember(_ canonical: [UInt8]) {
        if canonical.count > RedactionWalk.latestLength || latest.contains(canonical) { return }
        if latest.count == RedactionWalk.latestLimit { latest.removeFirst() }
        latest.append(canonical)
    }

    /// Begins to collect what is redacted.
    func collect() { found = [] }

    /// Ends it.
    func takeFound() -> [[UInt8]] {
        defer { found = nil }
        return found ?? []
    }

    // MARK: The automaton

    private func place(_ paths: RedactionPaths) -> Int {
        if let place = known[paths.patterns] { return place }
        let isFull = places.count >= RedactionWalk.placeLimit
        let paths = isFull ? RedactionPaths([[]], key: paths.key) : paths
        if let place = known[paths.patterns] { return place }
        places.append(Place(paths))
        known[paths.patterns] = places.count - 1
        return places.count - 1
    }

    private func element(of index: Int) -> Int {
        if places[index].element < 0 { places[index].element = place(places[index].paths.belowElement()) }
        return places[index].element
    }

    private func member(_ name: String, of index: Int) -> Int {
        if !places[index].members.isEmpty, let next = places[index].members[UTF8Key(name)] {
            if next >= 0 { return next }
            let made = place(places[index].paths.below(member: name))
            places[index].members[UTF8Key(name)] = made
            return made
        }
        if places[index].otherMember < 0 { places[index].otherMember = place(places[index].paths.below(member: nil)) }
        return places[index].otherMember
    }
}
