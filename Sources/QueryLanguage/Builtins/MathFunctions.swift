internal import JSONCore
internal import Platform

enum MathFunctions {
    static let functions: [NativeFunction] = unary + binary + bessel + own

    private static let unaryTable: [(name: String, function: @Sendable (Double) -> Double)] = [
        ("floor", { $0.rounded(.down) }), ("ceil", { $0.rounded(.up) }), ("round", { $0.rounded() }),
        ("trunc", { $0.rounded(.towardZero) }), ("rint", { $0.rounded(.toNearestOrEven) }),
        ("nearbyint", { $0.rounded(.toNearestOrEven) }), ("sqrt", { $0.squareRoot() }), ("fabs", { abs($0) }),
        ("exp10", { MathLibrary.power(10, $0) }), ("pow10", { MathLibrary.power(10, $0) }),
        ("gamma", { MathLibrary.logGamma($0) }), ("significand", significand),
    ]

    private static let binaryTable: [(name: String, function: @Sendable (Double, Double) -> Double)] = [
        ("drem", { $0.remainder(dividingBy: $1) }), ("ldexp", { scaled($0, by: $1) }),
        ("scalb", scalb), ("scalbln", { scaled($0, by: $1) }),
    ]

    private static let cost = 6
    /// The functions that take a step for each bit by which the exponents of their arguments differ.
    private static let stepwise: Set<String> = ["fmod", "drem", "remainder"]

    private static let unary = (MathLibrary.unary + unaryTable).map { name, function in
        NativeFunction(
            name,
            .zero { value throws(Interruption) in
                Arithmetic.number(function(try double(value)))
            }, cost: cost, gives: .scalar)
    }

    private static let binary = (MathLibrary.binary + binaryTable).map { name, function in
        NativeFunction(
            name,
            .metered(arity: 2) { _, values, _ throws(Interruption) in
                Arithmetic.number(function(try double(values[0]), try double(values[1])))
            }, cost: stepwise.contains(name) ? 10 * cost : cost, gives: .scalar)
    }

    /// The Bessel functions, charged a step for every fourth order up to their own.
    private static let bessel = MathLibrary.bessel.map { name, function in
        NativeFunction(
            name,
            .metered(arity: 2) { _, arguments, machine throws(Interruption) in
                let (order, x) = (try double(arguments[0]), try double(arguments[1]))
                try machine.charge(work: cost &+ Int(min(abs(order.isNaN ? 0 : order), 0x1p31) / 4))
                guard !order.isNaN else { return Arithmetic.number(.nan) }
                return Arithmetic.number(function(Int32(max(-10_000, min(10_000, order))), x))
            })
    }

    private static let own: [NativeFunction] = [
        NativeFunction(
            "fma",
            .metered(arity: 3) { _, values, _ throws(Interruption) in
                let (a, b, c) = (try double(values[0]), try double(values[1]), try double(values[2]))
                return Arithmetic.number(c.addingProduct(a, b))
            }, gives: .scalar),
        NativeFunction("abs", .zero(absolute)),
        constant("infinite") { _ in .number(JSONNumber(Double.infinity)) },
        constant("nan") { _ in .number(JSONNumber(Double.nan)) },
        constant("isinfinite") { .bool($0.number?.doubleValue.isInfinite ?? false) },
        constant("isnan") { .bool($0.number?.doubleValue.isNaN ?? false) },
        constant("isnormal") { .bool($0.number?.doubleValue.isNormal ?? false) },
        NativeFunction("frexp", .zero(frexp)),
        NativeFunction("lgamma_r", .zero(logGammaAndSign)),
        NativeFunction("modf", .zero(modf)),
    ]

    /// A function that reads at most a scalar.
    private static func constant(_ name: String, _ body: @escaping @Sendable (JSONValue) -> JSONValue) -> NativeFunction
    {
        NativeFunction(name, .zero(body), reads: .kind, gives: .scalar)
    }

    static func double(_ value: JSONValue) throws(Interruption) -> Double {
        guard case .number(let number) = value else { throw ValueFunctions.failure(value, "number required") }
        return number.doubleValue
    }

    @Sendable static func absolute(_ value: JSONValue) throws(Interruption) -> JSONValue {
        try ValueOrder.compare(value, .number(JSONNumber(0))) < 0 ? Arithmetic.negate(value) : value
    }

    /// The length of a number, which is its absolute value; a literal keeps its digits.
    static func magnitude(_ number: JSONNumber) -> JSONValue {
        if case .text(let text) = number.storage {
            let isNegative = text.utf8.first == UInt8(ascii: "-")
            return .number(isNegative ? JSONNumber(literal: String(text.dropFirst())) : number)
        }
        if case .integer(let whole) = number.storage, whole != .min { return .number(JSONNumber(abs(whole))) }
        return Arithmetic.number(abs(number.doubleValue))
    }

    @Sendable private static func logGammaAndSign(_ value: JSONValue) throws(Interruption) -> JSONValue {
        let number = try double(value)
        let isNegative =
            number < 0
            ? Int(max(-4e18, number.rounded(.down))) % 2 != 0 && number != number.rounded() : number.sign == .minus
        return .array([Arithmetic.number(MathLibrary.logGamma(number)), isNegative ? -1 : 1])
    }

    @Sendable private static func significand(_ value: Double) -> Double {
        value == 0 || !value.isFinite ? value : Double(signOf: value, magnitudeOf: value.significand)
    }

    @Sendable private static func scalb(_ value: Double, by exponent: Double) -> Double {
        exponent.isFinite && exponent != exponent.rounded() ? .nan : scaled(value, by: exponent)
    }

    private static func scaled(_ value: Double, by exponent: Double) -> Double {
        guard !exponent.isNaN else { return .nan }
        return scalbn(value, Int(max(-10_000, min(10_000, exponent))))
    }

    private static func scalbn(_ value: Double, _ exponent: Int) -> Double {
        // In two steps, because 2 to the power of the whole exponent may be out of range.
        let half = exponent / 2
        return value * MathLibrary.power(2, Double(half)) * MathLibrary.power(2, Double(exponent - half))
    }

    @Sendable private static func frexp(_ value: JSONValue) throws(Interruption) -> JSONValue {
        let number = try double(value)
        guard number.isFinite, number != 0 else { return .array([Arithmetic.number(number), 0]) }
        let exponent = Int(number.exponent) + 1
        return .array([Arithmetic.number(scalbn(number, -exponent)), .number(JSONNumber(exponent))])
    }

    @Sendable private static func modf(_ value: JSONValue) throws(Interruption) -> JSONValue {
        let number = try double(value)
        let whole = number.rounded(.towardZero)
        let fraction = number.isInfinite ? 0 : number - whole
        return .array([Arithmetic.number(Double(signOf: number, magnitudeOf: fraction)), Arithmetic.number(whole)])
    }
}
