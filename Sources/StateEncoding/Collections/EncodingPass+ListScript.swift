internal import JSONCore

extension EncodingPass {
    /// How many removals and insertions are searched for by comparing bytes alone, before all elements are hashed.
    private static let searchLimit = 64

    /// The script of the parts of two lists between their common ends; its indices are those of the whole lists.
    ///
    /// A few differences are found by comparing bytes: then only elements without a counterpart have their identity
    /// read. Beyond that all are numbered, by their bytes if these are in both lists.
    func script(
        _ pair: some ListPair, _ old: Range<Int>, _ new: Range<Int>
    ) throws(StateEncodingError) -> ListEdit.Script {
        if old.isEmpty || new.isEmpty { return ListEdit.Script(matches: [], old: old, new: new) }
        let runs = ListEdit.shortestDifference(old, new, limit: Self.searchLimit) {
            pair.commonRun($0, $1, atMost: $2)
        }
        if let runs { return try script(pair, around: runs, old, new) }
        let (numbers, haveIdentity) = try numbers(pair, old, new)
        if haveIdentity, let script = numbers.script(old, new) { return script }
        return ListEdit.script(numbers.old, numbers.new).shifted(by: old.lowerBound)
    }

    /// The script if most elements are known to be equal: what lies between the runs is matched by its identity, else
    /// by its text.
    private func script(
        _ pair: some ListPair, around runs: [ListEdit.Run], _ old: Range<Int>, _ new: Range<Int>
    ) throws(StateEncodingError) -> ListEdit.Script {
        let oldRest = ListEdit.rest(of: old, without: runs.map { $0.old..<($0.old + $0.count) })
        let newRest = ListEdit.rest(of: new, without: runs.map { $0.new..<($0.new + $0.count) })
        if !oldRest.isEmpty, !newRest.isEmpty {
            if let identities = try pair.identities(oldRest, newRest, self) {
                return identities.script(around: runs, oldRest, newRest, old, new)
            }
            // A single element that moved would match, at the price of all that it moved over.
            if oldRest.count == 1, newRest.count == 1 { return ListEdit.Script(matches: runs, old: old, new: new) }
            let texts = try textNumbers(pair, oldRest, newRest)
            let (oldTexts, newTexts) = (
                Dictionary(uniqueKeysWithValues: zip(oldRest, texts.old)),
                Dictionary(uniqueKeysWithValues: zip(newRest, texts.new))
            )
            let better = ListEdit.shortestDifference(old, new, limit: Self.searchLimit) { first, second, most in
                var count = 0
                while count < most {
                    let same = pair.commonRun(first + count, second + count, atMost: most - count)
                    count += same
                    if count == most { break }
                    guard let text = oldTexts[first + count], newTexts[second + count] == text else { break }
                    count += 1
                }
                return count
            }
            if let better { return ListEdit.Script(matches: better, old: old, new: new) }
        }
        return ListEdit.Script(matches: runs, old: old, new: new)
    }

    /// Numbers the elements: first those whose bytes are in both versions, then the rest by identity, else by text.
    private func numbers(
        _ pair: some ListPair, _ old: Range<Int>, _ new: Range<Int>
    ) throws(StateEncodingError) -> (ListNumbers, haveIdentity: Bool) {
        guard var numbers = pair.sameNumbers(old, new) else {
            return try restNumbers(pair, Array(old), Array(new))
        }
        let (oldRest, newRest) = numbers.alone
        let (rest, haveIdentity) = try restNumbers(
            pair, oldRest.map { $0 + old.lowerBound }, newRest.map { $0 + new.lowerBound })
        if oldRest.isEmpty && newRest.isEmpty {
            let have = try pair.identities([old.lowerBound], [new.lowerBound], self) != nil
            return (numbers, have)
        }
        numbers.surelySame = old.count + new.count
        for (index, place) in oldRest.enumerated() { numbers.old[place] = numbers.surelySame + rest.old[index] }
        for (index, place) in newRest.enumerated() { numbers.new[place] = numbers.surelySame + rest.new[index] }
        return (numbers, haveIdentity)
    }

    private func restNumbers(
        _ pair: some ListPair, _ old: [Int], _ new: [Int]
    ) throws(StateEncodingError) -> (ListNumbers, haveIdentity: Bool) {
        if let numbers = try pair.identities(old, new, self) { return (numbers, true) }
        return (try textNumbers(pair, old, new), false)
    }
}

/// Numbers for elements of two versions; equal elements have one number.
struct ListNumbers {
    var old: [Int] = []
    var new: [Int] = []
    /// Elements with the same number below this one are equal in every part.
    var surelySame = 0

    private var bound: Int { max(old.max() ?? -1, new.max() ?? -1) + 1 }

    var alone: (old: [Int], new: [Int]) {
        var (inOld, inNew) = ([Bool](repeating: false, count: bound), [Bool](repeating: false, count: bound))
        for number in old { inOld[number] = true }
        for number in new { inNew[number] = true }
        return (old.indices.filter { !inNew[old[$0]] }, new.indices.filter { !inOld[new[$0]] })
    }

    /// The script of two parts of lists whose elements have these numbers for identities; nil if one occurs twice.
    func script(_ oldPart: Range<Int>, _ newPart: Range<Int>) -> ListEdit.Script? {
        var places = [Int](repeating: -1, count: bound)
        for (place, number) in old.enumerated() {
            guard places[number] < 0 else { return nil }
            places[number] = place
        }
        var origins: [Int] = []
        origins.reserveCapacity(new.count)
        var pairs: [ListEdit.Pair] = []
        var isTaken = [Bool](repeating: false, count: bound)
        for (place, number) in new.enumerated() {
            guard !isTaken[number] else { return nil }
            isTaken[number] = true
            origins.append(places[number])
            guard number >= surelySame, places[number] >= 0 else { continue }
            pairs.append(
                ListEdit.Pair(old: oldPart.lowerBound + places[number], new: newPart.lowerBound + place))
        }
        let steps = ListEdit.steps(origins: origins, oldCount: old.count, startingAt: oldPart.lowerBound)
        return ListEdit.Script(steps: steps, pairs: pairs)
    }

    func script(
        around runs: [ListEdit.Run], _ oldRest: [Int], _ newRest: [Int], _ oldPart: Range<Int>, _ newPart: Range<Int>
    ) -> ListEdit.Script {
        var origins = [Int](repeating: -1, count: newPart.count)
        for run in runs {
            for offset in 0..<run.count {
                origins[run.new - newPart.lowerBound + offset] = run.old - oldPart.lowerBound + offset
            }
        }
        let places = Dictionary(zip(old, oldRest)) { first, _ in first }
        var pairs: [ListEdit.Pair] = []
        for (place, number) in zip(newRest, new) {
            guard let origin = places[number] else { continue }
            origins[place - newPart.lowerBound] = origin - oldPart.lowerBound
            pairs.append(ListEdit.Pair(old: origin, new: place))
        }
        let steps = ListEdit.steps(origins: origins, oldCount: oldPart.count, startingAt: oldPart.lowerBound)
        return ListEdit.Script(steps: steps, pairs: pairs)
    }
}

extension ListEdit {
    fileprivate static func rest(of list: Range<Int>, without ranges: [Range<Int>]) -> [Int] {
        var rest: [Int] = []
        var start = list.lowerBound
        for range in ranges {
            rest.append(contentsOf: start..<range.lowerBound)
            start = range.upperBound
        }
        rest.append(contentsOf: start..<list.upperBound)
        return rest
    }
}

extension ListEdit.Script {
    fileprivate func shifted(by start: Int) -> ListEdit.Script {
        if start == 0 { return self }
        let steps = steps.map { step -> ListEdit.Step in
            switch step {
            case .remove(let place): .remove(at: start + place)
            case .insert(let place): .insert(at: start + place)
            case .move(let from, let to): .move(from: start + from, to: start + to)
            }
        }
        return ListEdit.Script(
            steps: steps, pairs: pairs.map { ListEdit.Pair(old: start + $0.old, new: start + $0.new) })
    }
}
