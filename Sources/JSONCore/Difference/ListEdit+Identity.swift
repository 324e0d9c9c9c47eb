extension ListEdit {
    /// The script of two lists whose elements have an identity: an element that is in both is never removed and inserted,
    /// and as few as possible are moved.
    ///
    /// - Parameters:
    ///   - equal: whether an element of the old list equals one of the new, with all that is in it.
    ///   - oldID: the identity of an element of the old list by its index; asked only between the common ends.
    ///   - newID: the same of the new list.
    /// - Returns: nil where an element has no identity, or two of one list have the same.
    /// - Complexity: O(*n* log *n*) in the length without the common ends.
    public static func script<ID: Hashable>(
        oldCount: Int, newCount: Int, equal: (Int, Int) -> Bool, oldID: (Int) -> ID?, newID: (Int) -> ID?
    ) -> Script? {
        let (old, new) = trimmed(oldCount, newCount, equal)
        return script(old, new, equal: equal, oldID: oldID, newID: newID)
    }

    /// The script of what lies between the common ends of two lists.
    static func script<ID: Hashable>(
        _ old: Range<Int>, _ new: Range<Int>, equal: (Int, Int) -> Bool, oldID: (Int) -> ID?, newID: (Int) -> ID?
    ) -> Script? {
        guard let oldPlaces = places(old, oldID), let newPlaces = places(new, newID) else { return nil }
        var origins = [Int](repeating: -1, count: new.count)
        var pairs: [Pair] = []
        for (id, place) in newPlaces {
            if let oldPlace = oldPlaces[id] { origins[place - new.lowerBound] = oldPlace - old.lowerBound }
        }
        for (place, origin) in origins.enumerated() where origin >= 0 {
            let pair = Pair(old: old.lowerBound + origin, new: new.lowerBound + place)
            if !equal(pair.old, pair.new) { pairs.append(pair) }
        }
        return Script(
            steps: steps(origins: origins, oldCount: old.count, startingAt: old.lowerBound), pairs: pairs)
    }

    private static func places<ID: Hashable>(_ range: Range<Int>, _ id: (Int) -> ID?) -> [ID: Int]? {
        var places: [ID: Int] = [:]
        places.reserveCapacity(range.count)
        for place in range {
            guard let id = id(place), places.updateValue(place, forKey: id) == nil else { return nil }
        }
        return places
    }

    /// The steps to a list of which is known where each element was.
    ///
    /// - Parameters:
    ///   - origins: for each place of the new list the index in the old one, or -1 of an element that comes. None is there
    ///     twice; what of the old list is not there goes.
    ///   - oldCount: the length of the old list.
    ///   - start: what is added to every index, for a part of longer lists.
    /// - Complexity: O(*n* + *m* log *m*), *m* being the number of runs that stay together and of elements that move.
    public static func steps(origins: [Int], oldCount: Int, startingAt start: Int = 0) -> [Step] {
        var slots = [Int](repeating: -1, count: oldCount)  // by old index: its number among those that stay, else -1
        for origin in origins where origin >= 0 { slots[origin] = 0 }
        var steps: [Step] = []
        for place in slots.indices.reversed() where slots[place] < 0 { steps.append(.remove(at: start + place)) }
        var kept = 0
        for place in slots.indices where slots[place] == 0 {
            slots[place] = kept
            kept += 1
        }
        var order: [Int] = []
        order.reserveCapacity(kept)
        for origin in origins where origin >= 0 { order.append(slots[origin]) }
        Rearrangement(order).forEachMove { from, to in steps.append(.move(from: start + from, to: start + to)) }
        for (place, origin) in origins.enumerated() where origin < 0 { steps.append(.insert(at: start + place)) }
        return steps
    }
}
