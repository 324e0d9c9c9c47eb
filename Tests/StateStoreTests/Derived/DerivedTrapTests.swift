import StateStore
import Testing

/// What a transform must not do ends the program with a message that says it.
struct DerivedTrapTests {
    private static func text(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test("a transform that reads a derived value which is not its input traps with both names")
    func reading() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let store = Store(Cart(), recorder: nil)
            let double = store.derived("double", \.count) { $0 * 2 }
            let wrong = store.derived("wrong", \.count) { $0 + double.value }
            _ = wrong.value
        }
        #expect(
            Self.text(result).contains(
                "the transform of the derived value 'wrong' reads 'double': make that one of its inputs"))
    }

    @Test("a transform that commits traps with its name")
    func committing() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let store = Store(Cart(), recorder: nil)
            let wrong = store.derived("wrong", \.count) { count in
                store.commit { $0.count = 0 }
                return count
            }
            _ = wrong.value
        }
        #expect(
            Self.text(result).contains(
                "is inside the transform of the derived value 'wrong': a transform only computes"))
    }

    @Test("a comparison that commits traps")
    func comparing() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let store = Store(Cart(), recorder: nil)
            let count = store.input(
                \.count,
                by: { old, new in
                    store.commit { $0.count = 0 }
                    return old == new
                })
            let wrong = Derived("wrong", count) { $0 }
            _ = wrong.value
            store.commit { $0.count = 5 }
        }
        #expect(Self.text(result).contains("is inside a comparison of a derived value's inputs: it may only compare"))
    }
}
