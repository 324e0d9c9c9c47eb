/// Where some threads are, each of which can take one step after another.
protocol ModelWorld {
    /// What all worlds of a search have in common.
    associatedtype Cast

    var threadCount: Int { get }

    /// Whether a thread can go on, and neither waits nor is done.
    func canGoOn(_ thread: Int, _ cast: Cast) -> Bool

    /// Has a thread take its next step.
    ///
    /// - Returns: the law that it breaks; nil for none.
    mutating func step(_ thread: Int, _ cast: Cast) -> String?

    /// The law that is broken where no thread can go on; nil for none.
    func lawsAtTheEnd(_ cast: Cast) -> String?

    /// Equal for worlds that go on in the same ways.
    func key(_ cast: Cast) -> [Int]
}

/// Visits every world that can come of a first one; each once, regardless of the order of steps that led to it.
final class ModelSearch<World: ModelWorld> {
    private let cast: World.Cast
    private var open: [World]
    private var seen: Set<[Int]> = []
    /// How many worlds there are in which nothing is left to do.
    private(set) var ends = 0

    init(_ world: World, _ cast: World.Cast) {
        self.cast = cast
        open = [world]
    }

    /// - Returns: the first law that was broken; nil for none.
    func run() -> String? {
        while let world = open.popLast() {
            var isOver = true
            for thread in 0..<world.threadCount where world.canGoOn(thread, cast) {
                isOver = false
                var next = world
                if let broken = next.step(thread, cast) { return broken }
                if seen.insert(next.key(cast)).inserted { open.append(next) }
            }
            guard isOver else { continue }
            ends += 1
            if let broken = world.lawsAtTheEnd(cast) { return broken }
        }
        return nil
    }
}
