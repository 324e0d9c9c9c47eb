/// Names of which no two are the same: the wanted one, or one with a number behind it, `cart_2`.
struct NamePool: Sendable {
    /// The numbers that were given to one wanted name.
    private struct Numbers {
        var highest = 1
        /// Those that were given back, the lowest last.
        var free: [Int] = []
    }

    private var taken: Set<String> = []
    private var numbers: [String: Numbers] = [:]

    /// A name that nobody has.
    ///
    /// - Complexity: O(1) on average, however many have a number behind the same name.
    mutating func take(_ wanted: String) -> String {
        if taken.insert(wanted).inserted { return wanted }
        while true {
            let number = nextNumber(wanted)
            let name = "\(wanted)_\(number)"
            if taken.insert(name).inserted { return name }
        }
    }

    private mutating func nextNumber(_ wanted: String) -> Int {
        var known = numbers[wanted] ?? Numbers()
        defer { numbers[wanted] = known }
        if let number = known.free.popLast() { return number }
        known.highest += 1
        return known.highest
    }

    /// Gives a name back.
    mutating func giveBack(_ name: String, wanted: String) {
        taken.remove(name)
        guard var known = numbers[wanted] else { return }
        if name != wanted, let number = Int(name.dropFirst(wanted.count + 1)) {
            let place = known.free.firstIndex { $0 < number } ?? known.free.count
            known.free.insert(number, at: place)
        }
        let isUnused = known.free.count == known.highest - 1 && !taken.contains(wanted)
        numbers[wanted] = isUnused ? nil : known
    }
}
