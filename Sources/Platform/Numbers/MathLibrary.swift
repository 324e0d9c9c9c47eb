#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The functions of the C library over floating-point numbers, under their names in C.
///
/// Those that Swift has itself (rounding, the square root, the absolute value) are not among them.
package enum MathLibrary {
    package static let unary: [(name: String, function: @Sendable (Double) -> Double)] = [
        ("cbrt", { cbrt($0) }), ("exp", { exp($0) }), ("exp2", { exp2($0) }), ("expm1", { expm1($0) }),
        ("log", { log($0) }), ("log2", { log2($0) }), ("log10", { log10($0) }), ("log1p", { log1p($0) }),
        ("sin", { sin($0) }), ("cos", { cos($0) }), ("tan", { tan($0) }), ("asin", { asin($0) }),
        ("acos", { acos($0) }), ("atan", { atan($0) }), ("sinh", { sinh($0) }), ("cosh", { cosh($0) }),
        ("tanh", { tanh($0) }), ("asinh", { asinh($0) }), ("acosh", { acosh($0) }), ("atanh", { atanh($0) }),
        ("lgamma", { lgamma($0) }), ("tgamma", { tgamma($0) }), ("erf", { erf($0) }), ("erfc", { erfc($0) }),
        ("logb", { logb($0) }), ("j0", { j0($0) }), ("j1", { j1($0) }), ("y0", { y0($0) }), ("y1", { y1($0) }),
    ]

    package static let binary: [(name: String, function: @Sendable (Double, Double) -> Double)] = [
        ("pow", { pow($0, $1) }), ("atan2", { atan2($0, $1) }), ("fmod", { fmod($0, $1) }),
        ("fmin", { fmin($0, $1) }), ("fmax", { fmax($0, $1) }), ("fdim", { fdim($0, $1) }),
        ("copysign", { copysign($0, $1) }), ("hypot", { hypot($0, $1) }), ("nextafter", { nextafter($0, $1) }),
        ("nexttoward", { nextafter($0, $1) }), ("remainder", { remainder($0, $1) }),
    ]

    /// The Bessel functions of a whole order, of the first kind and of the second.
    package static let bessel: [(name: String, function: @Sendable (Int32, Double) -> Double)] = [
        ("jn", { jn($0, $1) }), ("yn", { yn($0, $1) }),
    ]

    package static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

    package static func logarithm(_ value: Double) -> Double { log(value) }
    /// The logarithm of the gamma function's magnitude.
    package static func logGamma(_ value: Double) -> Double { lgamma(value) }
}
