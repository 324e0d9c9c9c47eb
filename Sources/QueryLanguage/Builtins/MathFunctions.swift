internal import JSONCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Built-ins over numbers: those of the C library, and a few of the language's own.
enum MathFunctions {
    static let functions: [NativeFunction] = unary + binary + own

    private static let unaryTable: [(String, @Sendable (Double) -> Double)] = [
        ("floor", { $0.rounded(.down) }), ("ceil", { $0.rounded(.up) }), ("round", { $0.rounded() }),
        ("trunc", { $0.rounded(.towardZero) }), ("rint", { $0.rounded(.toNearestOrEven) }),
        ("nearbyint", { $0.rounded(.toNearestOrEven) }), ("sqrt", { $0.squareRoot() }), ("cbrt", { cbrt($0) }),
        ("exp", { exp($0) }), ("exp2", { exp2($0) }), ("exp10", { pow(10, $0) }), ("pow10", { pow(10, $0) }),
        ("expm1", { expm1($0) }), ("log", { log($0) }), ("log2", { log2($0) }), ("log10", { log10($0) }),
        ("log1p", { log1p($0) }), ("sin", { sin($0) }), ("cos", { cos($0) }), ("tan", { tan($0) }),
        ("asin", { asin($0) }), ("acos", { acos($0) }), ("atan", { atan($0) }), ("sinh", { sinh($0) }),
        ("cosh", { cosh($0) }), ("tanh", { tanh($0) }), ("asinh", { asinh($0) }), ("acosh", { acosh($0) }),
        ("atanh", { atanh($0) }), ("fabs", { abs($0) }), ("gamma", { logGamma($0) }), ("lgamma", { logGamma($0) }),
        ("erf", { erf($0) }), ("erfc", { erfc($0) }), ("tgamma", { tgamma($0) }), ("logb", { logb($0) }),
        ("j0", { j0($0) }),
        ("j1", { j1($0) }), ("y0", { y0($0) }), ("y1", { y1($0) }), ("significand", significand),
    ]

    private static let binaryTable: [(String, @Sendable (Double, Double) -> Double)] = [
        ("pow", { pow($0, $1) }), ("atan2", { atan2($0, $1) }), ("fmod", { fmod($0, $1) }),
        ("fmin", { fmin($0, $1) }), ("fmax", { fmax($0, $1) }), ("fdim", { fdim($0, $1) }),
        ("copysign", { copysign($0, $1) }), ("hypot", { hypot($0, $1) }), ("nextafter", { nextafter($0, $1) }),
        ("nexttoward", { nextafter($0, $1) }), ("drem", { remainder($0, $1) }),
        ("remainder", { remainder($0, $1) }),
        ("ldexp", { scaled($0, by: $1) }), ("scalb", { scaled($0, by: $1) }), ("scalbln", { scaled($0, by: $1) }),
    ]

    /// What a function of the C library costs, by the time that it takes.
    private static let cost = 6
    /// Those that take a step for each bit that the exponents of their arguments differ by.
    private static let stepwise: Set<String> = ["fmod", "drem", "remainder"]

    private static var unary: [NativeFunction] {
        unaryTable.map { name, function in
            NativeFunction(
                name,
                .zero { value throws(Interruption) in
                    Arithmetic.number(function(try double(value)))
                }, cost: cost, gives: .scalar)
        }
    }

    private static var binary: [NativeFunction] {
        binaryTable.map { name, function in
            NativeFunction(
                name,
                .two { _, a, b throws(Interruption) in
                    Arithmetic.number(function(try double(a), try double(b)))
                }, cost: stepwise.contains(name) ? 10 * cost : cost, gives: .scalar)
        }
    }

    /// A Bessel function, which takes a step for each order up to its own.
    private static func besselFunction(
        _ name: String, _ function: @escaping @Sendable (Int32, Double) -> Double
    ) -> NativeFunction {
        NativeFunction(
            name,
            .metered(arity: 2) { _, arguments, machine throws(Interruption) in
                let (order, x) = (try double(arguments[0]), try double(arguments[1]))
                try machine.pay(cost &+ Int(min(abs(order.isNaN ? 0 : order), 0x1p31) / 4))
                return Arithmetic.number(bessel(order, x, function))
            })
    }

    private static let own: [NativeFunction] = [
        besselFunction("jn") { jn($0, $1) }, besselFunction("yn") { yn($0, $1) },
        NativeFunction(
            "fma",
            .three { _, a, b, c throws(Interruption) in
                Arithmetic.number(fma(try double(a), try double(b), try double(c)))
            }, gives: .scalar),
        NativeFunction("abs", .zero(absolute)),
        NativeFunction("infinite", .zero { _ in .number(JSONNumber(Double.infinity)) }, reads: .kind, gives: .scalar),
        NativeFunction("nan", .zero { _ in .number(JSONNumber(Double.nan)) }, reads: .kind, gives: .scalar),
        NativeFunction(
            "isinfinite", .zero { .bool($0.number?.doubleValue.isInfinite ?? false) }, reads: .kind, gives: .scalar),
        NativeFunction("isnan", .zero { .bool($0.number?.doubleValue.isNaN ?? false) }, reads: .kind, gives: .scalar),
        NativeFunction(
            "isnormal", .zero { .bool($0.number?.doubleValue.isNormal ?? false) }, reads: .kind, gives: .scalar),
        NativeFunction("frexp", .zero(frexp)),
        NativeFunction("lgamma_r", .zero(logGammaAndSign)),
        NativeFunction("modf", .zero(modf)),
    ]

    static func double(_ value: JSONValue) throws(Interruption) -> Double {
        guard case .number(let number) = value else { throw ValueFunctions.failure(value, "number required") }
        return number.doubleValue
    }

    /// `abs`: what comes before 0 in the order of values is negated, which only a number can be.
    @Sendable static func absolute(_ value: JSONValue) throws(Interruption) -> JSONValue {
        try ValueOrder.compare(value, .number(JSONNumber(0))) < 0 ? Arithmetic.negate(value) : value
    }

    /// The length of a number; a literal keeps its text but for its sign.
    static func magnitude(_ number: JSONNumber) -> JSONValue {
        if case .text(let text) = number.storage {
            let isNegative = text.utf8.first == UInt8(ascii: "-")
            return .number(isNegative ? JSONNumber(literal: String(text.dropFirst())) : number)
        }
        if case .integer(let whole) = number.storage, whole != .min { return .number(JSONNumber(abs(whole))) }
        return Arithmetic.number(abs(number.doubleValue))
    }

    private static func logGamma(_ value: Double) -> Double { lgamma(value) }

    /// The logarithm of the gamma function's magnitude, and its sign.
    @Sendable private static func logGammaAndSign(_ value: JSONValue) throws(Interruption) -> JSONValue {
        let number = try double(value)
        let isNegative =
            number < 0
            ? Int(max(-4e18, number.rounded(.down))) % 2 != 0 && number != number.rounded() : number.sign == .minus
        return .array([Arithmetic.number(lgamma(number)), isNegative ? -1 : 1])
    }

    /// A Bessel function, whose order is a whole number.
    private static func bessel(_ order: Double, _ value: Double, _ function: (Int32, Double) -> Double) -> Double {
        guard !order.isNaN else { return .nan }
        return function(Int32(max(-10_000, min(10_000, order))), value)
    }

    @Sendable private static func significand(_ value: Double) -> Double {
        value == 0 || !value.isFinite ? value : value / pow(2, logb(value))
    }

    private static func scaled(_ value: Double, by exponent: Double) -> Double {
        guard !exponent.isNaN else { return .nan }
        return scalbn(value, Int(max(-10_000, min(10_000, exponent))))
    }

    private static func scalbn(_ value: Double, _ exponent: Int) -> Double {
        // In two steps, because 2 to the power of a subnormal's distance is itself out of range.
        let half = exponent / 2
        return value * pow(2, Double(half)) * pow(2, Double(exponent - half))
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
        return .array([Arithmetic.number(copysign(fraction, number)), Arithmetic.number(whole)])
    }
}
