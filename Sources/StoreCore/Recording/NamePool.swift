internal import JSONCore

/// Unique names: the wanted one, or one with a number after it, `cart_2`.
struct NamePool: Sendable {
    private struct Numbers {
        var highest = 1
        /// What was given back: a binary heap with the lowest first (Williams, "Algorithm 232: Heapsort", 1964).
        private var free: [Int] = []

        var isUnused: Bool { free.count == highest - 1 }

        mutating func take() -> Int {
            guard let lowest = free.first else {
                highest += 1
                return highest
            }
            let last = free.removeLast()
            if !free.isEmpty { siftDown(last) }
            return lowest
        }

        /// Puts a number in the place of the lowest one, then below all lower numbers on its way down.
        private mutating func siftDown(_ number: Int) {
            var place = 0
            while case let child = 2 * place + 1, child < free.count {
                let lower = child + 1 < free.count && free[child + 1] < free[child] ? child + 1 : child
                if free[lower] >= number { break }
                free[place] = free[lower]
                place = lower
            }
            free[place] = number
        }

        mutating func giveBack(_ number: Int) {
            free.append(number)
            var place = free.count - 1
            while place > 0, case let parent = (place - 1) / 2, free[parent] > free[place] {
                free.swapAt(place, parent)
                place = parent
            }
        }
    }

    private var taken: Set<ByteName> = []
    private var numbers: [ByteName: Numbers] = [:]

    /// - Complexity: O(log *n*) in the names that were given back of the same wanted one.
    mutating func take(_ wanted: String) -> String {
        if taken.insert(ByteName(wanted)).inserted { return wanted }
        while true {
            let number = numbers[ByteName(wanted), default: Numbers()].take()
            let name = "\(wanted)_\(number)"
            if taken.insert(ByteName(name)).inserted { return name }
        }
    }

    /// - Complexity: O(log *n*) in the names that were given back of the same wanted one.
    mutating func giveBack(_ name: String, wanted: String) {
        let (name, wanted) = (ByteName(name), ByteName(wanted))
        taken.remove(name)
        if name != wanted, let number = Int(Substring(name.text.utf8.dropFirst(wanted.text.utf8.count + 1))) {
            numbers[wanted]?.giveBack(number)
        }
        if numbers[wanted]?.isUnused ?? false, !taken.contains(wanted) { numbers[wanted] = nil }
    }
}
