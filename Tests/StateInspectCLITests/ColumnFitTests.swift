import Testing
import TestSupport

@testable import StateInspectCLI

@Suite("The width of columns")
struct ColumnFitTests {
    private typealias Step = ColumnFit.Step

    @Test("what fits is left as it is")
    func whole() {
        #expect(ColumnFit.widths([3, 12, 0, 8], giving: [.part(1, to: 8)], in: 27) == [3, 12, 0, 8])
    }

    @Test("columns give up exactly what is missing, in their order")
    func exact() {
        let steps: [Step] = [.part(0, to: 8), .cut(1, downTo: 4), .cut(2, downTo: 2)]
        #expect(ColumnFit.widths([12, 10, 10], giving: steps, in: 35) == [8, 10, 10])
        #expect(ColumnFit.widths([12, 10, 10], giving: steps, in: 30) == [8, 8, 10])
        #expect(ColumnFit.widths([12, 10, 10], giving: steps, in: 20) == [8, 4, 4])
        #expect(ColumnFit.widths([12, 10, 10], giving: steps, in: 3) == [8, 4, 2])
    }

    @Test("a part that fits after all is given back")
    func givenBack() {
        let steps: [Step] = [.part(0, to: 8), .part(1, to: 2)]
        #expect(ColumnFit.widths([12, 20], giving: steps, in: 29) == [12, 2])
    }

    @Test("no more is given up than is missing, and all of it where that suffices", arguments: seeds(0..<200))
    func property(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let wanted = (0..<5).map { _ in Int.random(in: 0...30, using: &random) }
        let steps = (0..<5).flatMap { column -> [Step] in
            let part = Int.random(in: 0...max(0, wanted[column]), using: &random)
            return [.part(column, to: part), .cut(column, downTo: min(part, 4))]
        }
        let room = Int.random(in: 10...140, using: &random)
        func used(_ widths: [Int]) -> Int { widths.reduce(-2) { $0 + ($1 > 0 ? $1 + 2 : 0) } }
        let widths = ColumnFit.widths(wanted, giving: steps, in: room)
        #expect(zip(widths, wanted).allSatisfy { $0 <= $1 }, "seed \(seed)")
        if used(wanted) <= room { #expect(widths == wanted, "seed \(seed)") }
        let least = used((0..<5).map { min(wanted[$0], 4) })
        if least <= room { #expect(used(widths) <= room, "seed \(seed): \(wanted) \(widths) in \(room)") }
    }
}
