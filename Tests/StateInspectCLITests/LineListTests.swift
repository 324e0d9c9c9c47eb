import Testing

@testable import StateInspectCLI

@Suite("The rows of a list")
struct LineListTests {
    @Test(
        "a list prints the first rows, or in reverse the last ones, whatever is held back",
        arguments: [0, 1, 3, 7, 100, Int.max], [1, 2, 64])
    func rows(_ limit: Int, _ lookAhead: Int) {
        for count in [0, 1, 2, 3, 6, 7, 8, 63, 64, 65, 200] {
            let rows = Array(0..<count)
            for isReversed in [false, true] {
                var list = LineList<Int>(ListOrder(limit: limit, isReversed: isReversed), lookAhead: lookAhead)
                var printed: [Int] = []
                for row in rows where !list.isFull { printed += list.take(row) }
                #expect(printed.isEmpty || !isReversed, "a reversed list has no row before its end")
                printed += list.flush()
                #expect(printed == (isReversed ? rows.suffix(limit).reversed() : Array(rows.prefix(limit))))
            }
        }
    }

    @Test("rows that are not counted stand among the others, also after the last one that is wanted")
    func uncounted() {
        var list = LineList<String>(ListOrder(limit: 2), lookAhead: 4)
        #expect(list.take("a").isEmpty && list.take("mark", isCounted: false).isEmpty && list.take("b").isEmpty)
        #expect(list.isFull && list.take("c").isEmpty)
        #expect(list.take("note", isCounted: false) == ["a", "mark", "b", "note"])
        #expect(list.take(nil).isEmpty && list.flush().isEmpty)
    }

    @Test("after the first rows were printed, each further one is due at once")
    func flowing() {
        var list = LineList<Int>(ListOrder())
        #expect(list.take(1).isEmpty)
        #expect(list.flush() == [1])
        #expect(list.take(2) == [2])
    }
}
