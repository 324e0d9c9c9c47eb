/// Writes an argument as it must be typed in a POSIX shell.
enum ShellQuoting {
    /// The argument as it is where that is safe, otherwise in single quotes.
    static func quoted(_ argument: String) -> String {
        if !argument.isEmpty, argument.utf8.allSatisfy(isPlain) { return argument }
        var result = "'"
        for scalar in argument.unicodeScalars {
            if scalar == "'" {
                result += "'\\''"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result + "'"
    }

    /// A whole command line of these arguments.
    static func line(_ arguments: [String]) -> String { arguments.map(quoted).joined(separator: " ") }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"): true
        case UInt8(ascii: ","), UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "@"), UInt8(ascii: "%"): true
        default: false
        }
    }
}
