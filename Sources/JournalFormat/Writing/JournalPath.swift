import Platform

/// The path of a journal to be made, as a person or the environment gives it.
package enum JournalPath {
    /// The path with its names filled in, from the root on, so that it leads to one place wherever the process goes.
    static func resolved(_ path: String) -> String { FileSystem.absolute(expanded(path)) }

    /// The path with its names filled in.
    ///
    /// `%p` is the process's number, `%t` the time, in UTC, without characters that need quoting, `%%` a percent sign.
    /// Another `%` stands for itself.
    package static func expanded(_ path: String, process: Int = ProcessIdentity.current, time: Timestamp = .now())
        -> String
    {
        var result = ""
        var rest = path.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "%", let letter = rest.first else {
                result.unicodeScalars.append(scalar)
                continue
            }
            switch letter {
            case "p": result += String(process)
            case "t": result += String(time.text.filter { $0 != "-" && $0 != ":" })
            case "%": result += "%"
            default:
                result += "%"
                continue
            }
            rest.removeFirst()
        }
        return result
    }

    /// A path that ``expanded(_:process:time:)`` makes this text of.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars { result += scalar == "%" ? "%%" : String(scalar) }
        return result
    }
}
