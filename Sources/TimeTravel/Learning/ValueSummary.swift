import JSONCore

/// What the values of a member come to, as conditions on one value.
struct ValueSummary {
    private let place: ShapeMember
    private let statistics: MemberStatistics
    /// How many values count: changes, or the values of elements that were written.
    let samples: Int

    /// A condition, and how sure it is.
    struct Finding {
        let condition: String
        let samples: Int
        let confidence: Double
    }

    /// Of a member's values.
    init(_ place: ShapeMember) {
        self.place = place
        statistics = place.statistics
        samples = place.isInElement ? statistics.samples : statistics.changes
    }

    /// Of how many elements it has.
    init(lengths place: ShapeMember) {
        self.place = place
        statistics = place.lengths
        samples = statistics.samples
    }

    /// So many values are few.
    private static let few = 8

    /// It has one of a few values; nil where there are more, or too little is known.
    var fewValues: Finding? {
        let values = statistics.values
        guard statistics.isCounted, (1...Self.few).contains(values.count), place.ownTypes != .bool else { return nil }
        let isNumber = place.ownTypes == .number
        guard values.values.allSatisfy({ $0 >= (isNumber ? 3 : 2) }), !isNumber || samples >= 10 * values.count else {
            return nil
        }
        let confidence =
            values.count == 1 ? Confidence.modulus(samples, 10) : Confidence.modulus(samples, values.count + 1)
        guard confidence >= Confidence.least else { return nil }
        var texts = Set(values.keys.map { ByteName($0.text()) })
        if place.isNullable { texts.insert("null") }
        let list = texts.sorted().map(\.text).joined(separator: ", ")
        return Finding(
            condition: texts.count == 1 ? ". == \(list)" : "IN(\(list))", samples: samples, confidence: confidence)
    }

    /// It has values of one type, and is never null where that was never seen.
    var type: Finding? {
        let name: String
        switch place.ownTypes {
        case .number: name = "number"
        case .string: name = "string"
        case .bool: name = "boolean"
        default: return nil
        }
        return Finding(
            condition: orNull("type == \"\(name)\""), samples: samples, confidence: Confidence.order(samples))
    }

    /// A number has bounds that are met often, or one sign; whole numbers may have a common step.
    var bounds: [Finding] {
        guard place.ownTypes == .number else { return [] }
        return [lowerBound, upperBound, step].compactMap { $0 }.map {
            Finding(condition: orNull($0.0), samples: samples, confidence: $0.1)
        }
    }

    /// It has so many elements; a lower bound of none is left out.
    var lengthBounds: [Finding] {
        let lower = statistics.least.flatMap { $0.value == JSONNumber(0) ? nil : lowerBound }
        return [lower, upperBound].compactMap { $0 }.map {
            Finding(condition: orNull("length \($0.0.dropFirst(2))"), samples: samples, confidence: $0.1)
        }
    }

    /// Whole numbers that differ by multiples of a number do so by chance with 1/m.
    private var step: (String, Double)? {
        guard statistics.isWhole, statistics.step > 1, let least = statistics.least?.value.integerValue, least >= 0,
            !statistics.isCounted || statistics.values.count > 2
        else { return nil }
        let confidence = Confidence.step(samples, statistics.step)
        return confidence >= Confidence.least
            ? (". % \(statistics.step) == \(least % statistics.step)", confidence) : nil
    }

    private var lowerBound: (String, Double)? {
        guard let (value, count) = statistics.least else { return nil }
        if value == JSONNumber(0) || value == JSONNumber(1) {
            let confidence = Confidence.order(samples)
            return confidence >= Confidence.least ? (". >= \(value.text)", confidence) : nil
        }
        if isMetOften(count) { return (". >= \(value.text)", Confidence.bound(count)) }
        let confidence = Confidence.order(samples)
        return JSONNumber(0) < value && confidence >= Confidence.least ? (". > 0", confidence) : nil
    }

    private var upperBound: (String, Double)? {
        guard let (value, count) = statistics.greatest, isMetOften(count) else { return nil }
        return (". <= \(value.text)", Confidence.bound(count))
    }

    /// Whether a bound was met at least as often as an average value: what grows thinner towards its end has no bound there.
    private func isMetOften(_ count: Int) -> Bool {
        let distinct = statistics.isCounted ? statistics.values.count : MemberStatistics.valueLimit
        return distinct > 2 && count >= 10 && count * distinct >= statistics.samples
    }

    private func orNull(_ condition: String) -> String {
        place.isNullable ? ". == null or (\(condition))" : condition
    }
}
