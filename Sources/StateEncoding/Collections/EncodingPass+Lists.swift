internal import JSONCore

extension EncodingPass {
    /// Writes the operations between two arrays: equal elements at their ends cost a comparison of bytes, elements with
    /// an identity are matched by it, others by their value.
    ///
    /// - Complexity: O(n) comparisons, O(n log n) in the part between the common ends if many elements were inserted,
    ///   removed or moved there; only elements that differ are encoded.
    /// - Returns: the steps that were written; nil if no element changed its place.
    @discardableResult
    func writeListDifference(_ pair: some ListPair) throws(StateEncodingError) -> [ListEdit.Step]? {
        let (prefix, suffix) = pair.commonEnds()
        let old = prefix..<(pair.oldCount - suffix)
        let new = prefix..<(pair.newCount - suffix)
        if old.count == new.count, try writeChangesInPlace(pair, old) { return nil }
        return try writeScript(pair, old, new)
    }

    private func writeChangesInPlace(_ pair: some ListPair, _ places: Range<Int>) throws(StateEncodingError) -> Bool {
        guard let last = places.last else { return true }
        // If a range moved, so did its ends, and nothing between them need be compared.
        if places.count > 2, try pair.keepIdentities(at: [places.lowerBound, last], self) == false { return false }
        if isShifted(pair, places) { return false }
        let changed = places.filter { !pair.surelySame($0, $0) }
        if let stayed = try pair.keepIdentities(at: changed, self) {
            guard stayed else { return false }
        } else if changed.count > 1, changed.count * 2 > places.count, !pair.mayHoldSecrets(self) {
            return false
        }
        for place in changed {
            try at(.index(place)) { () throws(StateEncodingError) in
                try pair.writeDifference(place, place, self)
            }
        }
        return true
    }

    /// Whether one element moved from one end of a range to the other, and the rest by one place.
    private func isShifted(_ pair: some ListPair, _ places: Range<Int>) -> Bool {
        let (first, count) = (places.lowerBound, places.count - 1)
        guard count > 1 else { return false }
        return pair.commonRun(first + 1, first, atMost: count) == count
            || pair.commonRun(first, first + 1, atMost: count) == count
    }

    private func writeScript(
        _ pair: some ListPair, _ old: Range<Int>, _ new: Range<Int>
    ) throws(StateEncodingError) -> [ListEdit.Step] {
        let script = try script(pair, old, new)
        for step in script.steps {
            switch step {
            case .remove(let place):
                try at(.index(place)) { () throws(StateEncodingError) in try writeRemove(pair.old(place)) }
            case .insert(let place):
                let element = pair.new(place)
                try at(.index(place)) { () throws(StateEncodingError) in try writeAdd(element) }
                pair.recordWritten(element, at: place)
            case .move(let from, let to):
                patch.move(path, from: from, to: to)
            }
        }
        for place in script.pairs where !pair.surelySame(place.old, place.new) {
            try at(.index(place.new)) { () throws(StateEncodingError) in
                try pair.writeDifference(place.old, place.new, self)
            }
        }
        return script.steps
    }
}
