internal import JSONCore

/// The difference of two versions of an array.
extension EncodingPass {
    /// Writes the operations between two arrays: what both have at their ends costs a comparison of bytes, elements with an
    /// identity are matched by it, others by their value.
    ///
    /// - Complexity: O(n) comparisons, O(n log n) in the part between the common ends if elements came, went or moved there;
    ///   only elements that differ are encoded.
    func writeListDifference(_ pair: some ListPair) throws(StateEncodingError) {
        let (prefix, suffix) = pair.commonEnds()
        let old = prefix..<(pair.oldCount - suffix)
        let new = prefix..<(pair.newCount - suffix)
        if old.count == new.count, try writeChangesInPlace(pair, old) { return }
        try writeScript(pair, old, new)
    }

    /// Writes the difference of elements that kept their places; false, and nothing written, if they seem to have moved.
    private func writeChangesInPlace(_ pair: some ListPair, _ places: Range<Int>) throws(StateEncodingError) -> Bool {
        let changed = places.filter { !pair.surelySame($0, $0) }
        if changed.isEmpty { return true }
        if let stayed = try pair.keepIdentities(at: changed, self) {
            guard stayed else { return false }
        } else if changed.count > 1, changed.count * 2 > places.count {
            return false
        }
        for place in changed {
            try at(.index(place)) { () throws(StateEncodingError) in
                try writeDifference(from: pair.old(place), to: pair.new(place))
            }
        }
        return true
    }

    private func writeScript(
        _ pair: some ListPair, _ old: Range<Int>, _ new: Range<Int>
    ) throws(StateEncodingError) {
        let script = try script(pair, old, new)
        for step in script.steps {
            switch step {
            case .remove(let place):
                let tree = pair.old(old.lowerBound + place)
                try at(.index(old.lowerBound + place)) { () throws(StateEncodingError) in try writeRemove(tree) }
            case .insert(let place):
                let tree = pair.new(new.lowerBound + place)
                try at(.index(new.lowerBound + place)) { () throws(StateEncodingError) in try writeAdd(tree) }
            case .move(let from, let to):
                patch.move(path, from: old.lowerBound + from, to: old.lowerBound + to)
            }
        }
        for place in script.pairs {
            let (before, after) = (old.lowerBound + place.old, new.lowerBound + place.new)
            if pair.surelySame(before, after) { continue }
            try at(.index(after)) { () throws(StateEncodingError) in
                try writeDifference(from: pair.old(before), to: pair.new(after))
            }
        }
    }

    /// The script of the part between the common ends, its indices counted from there.
    private func script(
        _ pair: some ListPair, _ old: Range<Int>, _ new: Range<Int>
    ) throws(StateEncodingError) -> ListEdit.Script {
        if old.isEmpty || new.isEmpty {
            return ListEdit.script(oldCount: old.count, newCount: new.count) { _, _ in false }
        }
        if let script = pair.typedScript(old, new) { return script }
        let (numbers, haveIdentity) = try numbers(pair, old, new)
        if haveIdentity {
            let script = ListEdit.script(
                oldCount: old.count, newCount: new.count,
                equal: { pair.surelySame(old.lowerBound + $0, new.lowerBound + $1) },
                oldID: { numbers.old[$0] }, newID: { numbers.new[$0] })
            if let script { return script }
        }
        return ListEdit.script(numbers.old, numbers.new)
    }

    /// Numbers the elements: first those whose bytes are in both versions, then the rest by identity, else by text.
    private func numbers(
        _ pair: some ListPair, _ old: Range<Int>, _ new: Range<Int>
    ) throws(StateEncodingError) -> (ListNumbers, haveIdentity: Bool) {
        guard var numbers = pair.sameNumbers(old, new) else {
            return try restNumbers(pair, Array(old), Array(new))
        }
        let (inOld, inNew) = (Set(numbers.old), Set(numbers.new))
        let oldRest = numbers.old.indices.filter { !inNew.contains(numbers.old[$0]) }
        let newRest = numbers.new.indices.filter { !inOld.contains(numbers.new[$0]) }
        let (rest, haveIdentity) = try restNumbers(
            pair, oldRest.map { $0 + old.lowerBound }, newRest.map { $0 + new.lowerBound })
        if oldRest.isEmpty && newRest.isEmpty {
            let have = try pair.identities([old.lowerBound], [new.lowerBound], self) != nil
            return (numbers, have)
        }
        let free = old.count + new.count
        for (index, place) in oldRest.enumerated() { numbers.old[place] = free + rest.old[index] }
        for (index, place) in newRest.enumerated() { numbers.new[place] = free + rest.new[index] }
        return (numbers, haveIdentity)
    }

    private func restNumbers(
        _ pair: some ListPair, _ old: [Int], _ new: [Int]
    ) throws(StateEncodingError) -> (ListNumbers, haveIdentity: Bool) {
        if let numbers = try pair.identities(old, new, self) { return (numbers, true) }
        return (try textNumbers(pair, old, new), false)
    }
}
