/// Which members changed in one commit, of members that are known by their numbers.
///
/// Members of a few that change often and never at once are what one thing is made of: a machine's steps, the sides of a choice.
struct Coincidences {
    private struct Pair: Hashable {
        let one: Int
        let other: Int
    }

    /// More members than this in one commit are not kept in pairs: each of them counts as changed with every other one.
    private static let mostAtOnce = 32
    /// More pairs than this are not kept: then nothing is known of any.
    private static let mostPairs = 1 << 16

    private var pairs: Set<Pair> = []
    private var wide: Set<Int> = []
    private var isKnown = true

    /// Takes the members that a commit changed.
    mutating func note(_ members: [Int]) {
        guard members.count > 1, isKnown else { return }
        guard members.count <= Self.mostAtOnce else { return wide.formUnion(members) }
        for (place, one) in members.enumerated() {
            for other in members[(place + 1)...] {
                pairs.insert(Pair(one: min(one, other), other: max(one, other)))
            }
        }
        guard pairs.count > Self.mostPairs else { return }
        isKnown = false
        pairs = []
    }

    /// Whether no commit changed both.
    func areApart(_ one: Int, _ other: Int) -> Bool {
        isKnown && !wide.contains(one) && !wide.contains(other)
            && !pairs.contains(Pair(one: min(one, other), other: max(one, other)))
    }
}
