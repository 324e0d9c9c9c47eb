import JSONCore
import JournalFormat

/// The frames of a JavaScript stack: V8's, Hermes's, and those of Firefox and Safari.
enum StackFrame {
    /// The first frame of a program's own code; where there is none, of a library, but never of an extension or the engine.
    static func first(of stack: String) -> SourceLocation? {
        let frames = stack.split(whereSeparator: \.isNewline).compactMap { place($0) }
        return frames.first { !isOfLibrary($0.file) } ?? frames.first
    }

    /// `at dispatch (http://host/src/App.js:10:5)`, `at http://host/App.js:10:5` or `dispatch@http://host/App.js:10:5`.
    private static func place(_ line: Substring) -> SourceLocation? {
        let text = line.drop { $0.isWhitespace }
        let function: Substring
        let rest: Substring
        if UTF8Order.begins(text, with: "at ") {
            // A folder's name may have brackets, a function's has none before its place.
            let parts = text.dropFirst(3).split(separator: " (", maxSplits: 1, omittingEmptySubsequences: false)
            guard let last = parts.last else { return nil }
            function = parts.count > 1 ? parts[0] : ""
            rest = parts.count > 1 && last.last == ")" ? last.dropLast() : last
        } else if let at = text.firstIndex(of: "@"), !text[..<at].contains(":") {
            (function, rest) = (text[..<at], text[text.index(after: at)...])
        } else {
            return nil
        }
        guard var place = evaluated(rest) ?? location(rest), !isOfEngine(place.file) else { return nil }
        place.function = name(function)
        return place
    }

    private static func location(_ text: Substring) -> SourceLocation? {
        let text = UTF8Order.begins(text, with: "address at ") ? text.dropFirst(11) : text
        guard var place = SourcePlaceText.location(of: .string(String(text))), place.line > 0 else { return nil }
        // What a server was asked for besides the file is none of its name.
        let end = place.file.firstRange(of: "?")?.lowerBound ?? place.file.firstRange(of: "//&")?.lowerBound
        if let end { place.file = String(place.file[..<end]) }
        return place.file.contains(where: \.isLetter) || UTF8Order.equal(place.file, "-") ? place : nil
    }

    /// `eval at ./src/App.tsx (http://h/main.js:10:1), <anonymous>:12:5`, and Firefox's `http://h/App.js line 5 > eval:1:2`.
    private static func evaluated(_ text: Substring) -> SourceLocation? {
        if UTF8Order.begins(text, with: "eval at ") {
            let parts = text.dropFirst(8).split(separator: " (", maxSplits: 1)
            guard parts.count == 2, let close = parts[1].lastIndex(of: ")") else { return nil }
            guard parts[0].contains("/") else { return evaluated(parts[1][..<close]) ?? location(parts[1][..<close]) }
            return location(parts[0] + (parts[1][close...].firstIndex(of: ":").map { parts[1][$0...] } ?? ":1"))
        }
        guard let mark = text.firstRange(of: " line "),
            let number = text[mark.upperBound...].split(separator: " ").first,
            text[mark.upperBound...].contains(" > ")
        else { return nil }
        return location(text[..<mark.lowerBound] + ":" + number)
    }

    private static let plainHolders = ["Object.", "Module.", "exports.", "Function."]

    /// `async Object.foo [as bar]` is `foo`, and Firefox's `promise callback*foo/<` too.
    private static func name(_ function: Substring) -> String {
        let named = function.firstRange(of: " [as ").map { function[..<$0.lowerBound] } ?? function
        let word = named.split { $0 == " " || $0 == "*" }.last ?? ""
        let plain = word.prefix { $0 != "/" && $0 != "<" }
        let holder = plainHolders.first { UTF8Order.begins(plain, with: $0) } ?? ""
        return String(plain.dropFirst(holder.count))
    }

    private static func isOfEngine(_ file: String) -> Bool {
        if ["native", "[native code]", "<anonymous>"].contains(where: { UTF8Order.equal(file, $0) }) { return true }
        let scheme = file.prefix { $0 != ":" }
        return UTF8Order.ends(String(scheme), with: "extension") || UTF8Order.equal(String(scheme), "node")
            || UTF8Order.begins(file, with: "internal/")
    }

    private static let libraryFolders = [
        "/node_modules/", "/.pnpm/", "/.yarn/", "/.pnp.", "/.vite/", "/vite/deps/", "/@vite/", "/@id/",
        "/@react-refresh",
        "webpack/bootstrap", "webpack/runtime", "(webpack)", "//unpkg.com/", "//cdn.", "//esm.sh/", "//cdnjs.",
    ]
    /// How the files of bundlers begin that have no code of the program, and those of the library that asks for the stack.
    private static let libraryNames = ["vendor", "polyfills", "runtime", "zone", "redux"]

    private static func isOfLibrary(_ file: String) -> Bool {
        if libraryFolders.contains(where: { ("/" + file).contains($0) }) { return true }
        guard !file.contains("/src/"), let base = file.split(separator: "/").last,
            let name = libraryNames.first(where: { UTF8Order.begins(base, with: $0) })
        else { return false }
        return base.dropFirst(name.count).first.map { !$0.isLetter || $0 == "s" } ?? true
    }
}
