import Platform

/// The path of a journal to be made, as a person or the environment gives it.
package enum JournalPath {
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

    /// The most bytes of a name: NAME_MAX of the usual file systems, less what is appended for segments.
    private static let maximumLength = 255 - 16

    /// A name that the file system takes: as many whole characters of the stem as fit before the ending.
    package static func name(_ stem: some StringProtocol, ending: String) -> String {
        var (end, left) = (stem.startIndex, maximumLength - ending.utf8.count)
        while end < stem.endIndex, stem[end].utf8.count <= left {
            left -= stem[end].utf8.count
            stem.formIndex(after: &end)
        }
        return stem[..<end] + ending
    }
}
