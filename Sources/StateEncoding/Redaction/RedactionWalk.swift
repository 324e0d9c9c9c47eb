internal import JSONCore
internal import JournalFormat

/// Follows a walk over a state and reports when it is at a part that is redacted.
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
        /// Whether the redactions that match here know of it.
        var isReported = false
        /// The places below the members that matter by name; -1 for one not looked at yet.
        var members: [String: Int]
        var otherMember = -1
        var element = -1

        init(_ paths: RedactionPaths) {
            self.paths = paths
            isMatch = paths.isMatch
            members = [:]
            for name in paths.names { members[name] = -1 }
        }
    }

    let paths: RedactionPaths
    private var places: [Place] = []
    private var known: [[RedactionPaths.Pattern]: Int] = [:]
    @safe @exclusivity(unchecked) private var stack: [Int] = []
    @safe @exclusivity(unchecked) private var current = 0
    /// How many times it was asked to look away: what is hashed is written whole.
    @safe @exclusivity(unchecked) private var suspensions = 0

    init(_ paths: RedactionPaths) {
        self.paths = paths
        current = place(paths)
    }

    func begin() {
        stack.removeAll(keepingCapacity: true)
        current = 0
        suspensions = 0
        if places[current].isMatch { recordMatch() }
    }

    private func recordMatch() {
        if places[current].isReported { return }
        places[current].isReported = true
        places[current].paths.recordMatches()
    }

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
        if places[current].isMatch { recordMatch() }
    }

    func leave() { current = stack.removeLast() }

    func suspended(_ body: () throws(StateEncodingError) -> Void) throws(StateEncodingError) {
        suspensions += 1
        try body()
        suspensions -= 1
    }

    // MARK: The automaton

    private func place(_ paths: RedactionPaths) -> Int {
        if let place = known[paths.patterns] { return place }
        let isFull = places.count >= RedactionWalk.placeLimit
        let paths = isFull ? RedactionPaths([ArraySlice<PathSteps.Step>()], key: paths.key) : paths
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
        if !places[index].members.isEmpty, let next = places[index].members[name] {
            if next >= 0 { return next }
            let made = place(places[index].paths.below(member: name))
            places[index].members[name] = made
            return made
        }
        if places[index].otherMember < 0 { places[index].otherMember = place(places[index].paths.below(member: nil)) }
        return places[index].otherMember
    }
}
