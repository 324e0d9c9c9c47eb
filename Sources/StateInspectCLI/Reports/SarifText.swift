/// Texts as SARIF 2.1.0 wants them.
enum SarifText {
    /// A plain text message: braces are doubled (section 3.11.5), and what reads as an embedded link is not one (3.11.6).
    static func message(_ text: String) -> String {
        let hasLink = text.contains("](")
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "{": result += "{{"
            case "}": result += "}}"
            case "[" where hasLink, "]" where hasLink: result += "\\" + String(scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A path as a URI reference (RFC 3986): everything but letters, digits, `-._~` and slashes in percents.
    static func uri(_ path: String) -> String {
        var result = ""
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }
        return result
    }
}
