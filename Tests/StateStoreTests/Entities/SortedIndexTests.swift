import TestSupport
import Testing

@testable import EntityTables
@testable import StoreCore

@Suite("An order that is kept sorted")
struct SortedIndexTests {
    struct Player: Identifiable, Codable, Sendable {
        typealias ID = EntityID<Player, Int>
        var id: ID
        var score: Double
        var note = 0
    }

    struct Ranking: EntityDatabase {
        var players = EntityTable<Player>()
        var rising = OrderedIndex<Player>()
        var falling = OrderedIndex<Player>()
        var byNote = OrderedIndex<Player>()

        static var indexes: [IndexRule<Ranking>] {
            [
                .sorted(\.rising, of: \.players, by: \.score),
                .sorted(\.falling, of: \.players, by: \.score) { $0 > $1 },
                .sorted(\.byNote, of: \.players, by: { ($0.note, $0.score) }, <),
            ]
        }
    }

    struct CountedRanking: EntityDatabase {
        var players = EntityTable<Player>()
        var order = OrderedIndex<Player>()

        static let comparisons = Ticks()
        static var indexes: [IndexRule<CountedRanking>] {
            [
                .sorted(\.order, of: \.players, by: \.score) {
                    _ = comparisons.next()
                    return $0 > $1
                }
            ]
        }
    }

    private func change(_ ranking: inout Ranking, _ random: inout SeededGenerator, scores: [Double]) {
        let id = Player.ID(random.below(60))
        switch random.below(8) {
        case 0, 1, 2: ranking.players.upsert(Player(id: id, score: scores[random.below(scores.count)]))
        case 3: ranking.players.remove(id)
        case 4: ranking.players.rename(id, to: Player.ID(random.below(60)))
        case 5: ranking.players[id]?.note += 1
        case 6: if random.below(10) == 0 { ranking.rising.append(id) } else { ranking.falling.remove(id) }
        default: ranking.players[id]?.score = scores[random.below(scores.count)]
        }
    }

    @Test("it is what sorting all gives, after any batch", arguments: seeds(1..<9))
    func sorted(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var ranking = Ranking()
        let probe = try EncodingProbe(ranking)
        for step in 0..<200 {
            let hint: Comment = "seed \(seed), step \(step)"
            let size = [1, 2, 30][random.below(3)]
            ranking.batch { for _ in 0..<size { change(&$0, &random, scores: [1, 2, 3, 4, 5.5]) } }
            if step % 20 == 19 {
                for _ in 0..<5 { change(&ranking, &random, scores: [1, 2, 3]) }
                ranking.reindex()
            }
            #expect(ranking.rising.ids == ranking.players.sorted(by: \.score).map(\.id), hint)
            #expect(ranking.byNote.ids == ranking.players.sorted(by: { ($0.note, $0.score) }, <).map(\.id), hint)
            #expect(ranking.falling.ids == ranking.players.sorted(by: \.score) { $0 > $1 }.map(\.id), hint)
            if step % 10 == 0 { try probe.advance(to: ranking, hint) }
        }
    }

    @Test("a property that is neither before nor after itself stops nothing", arguments: seeds(1..<5))
    func contradicting(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var ranking = Ranking()
        for _ in 0..<300 {
            ranking.batch { change(&$0, &random, scores: [1, .nan, 2, -.infinity]) }
            #expect(Set(ranking.rising.ids) == Set(ranking.players.ids), "seed \(seed)")
        }
    }

    @Test("an edit compares the logarithm of what there is, and one of another property leaves the order alone")
    func comparisons() {
        var ranking = CountedRanking()
        ranking.batch { ranking in
            ranking.players.upsert(contentsOf: (0..<4_096).map { Player(id: Player.ID($0), score: Double($0) * 10) })
        }
        let before = CountedRanking.comparisons.value
        ranking.batch { $0.players[7]?.score = 20_005 }
        #expect(CountedRanking.comparisons.value - before < 100)
        #expect(ranking.order.firstIndex(of: 7) == 4_095 - 2_000)
        let order = ranking.order.ids.withUnsafeBufferPointer(\.baseAddress)
        ranking.batch { $0.players[9]?.note += 1 }
        #expect(ranking.order.ids.withUnsafeBufferPointer(\.baseAddress) == order)
    }

    @Test("after edits outside of batches it is right again at the latest once it is made anew")
    func outside() {
        var ranking = Ranking()
        ranking.batch { ranking in
            ranking.players.upsert(contentsOf: (0..<20).map { Player(id: Player.ID($0), score: Double($0 * 7 % 20)) })
        }
        ranking.players[0]?.score = 100
        ranking.players.remove(1)
        ranking.players.insert(Player(id: 21, score: 0))
        ranking.batch { $0.players[3]?.score = 50 }
        ranking.reindex()
        #expect(ranking.rising.ids == ranking.players.sorted(by: \.score).map(\.id))
        ranking.batch { $0.players[3]?.score = 1 }
        #expect(ranking.rising.ids == ranking.players.sorted(by: \.score).map(\.id))
    }
}
