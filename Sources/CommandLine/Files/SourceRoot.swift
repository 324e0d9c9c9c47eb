import Diagnostics
import JSONCore
import JournalFormat
package import JournalReading
import Platform
import TimeTravel

/// What a journal's file name means below a folder, and what may be read.
///
/// An absolute path, as Python's `co_filename`, is the file that lies there. A Swift compiler's `#fileID`,
/// `Module/File.swift`, is the file of that name somewhere below a folder of the module's name. Any other name is the
/// end of the path. Another file of the same base name is never meant, since a wrong source is worse than none; nor is
/// one that a link leads out of the folder to, since what is found is printed and published. The folder is read once,
/// when it is first needed.
package final class SourceRoot {
    /// How many files are looked at, and how deep; a folder with more is not taken for a source folder.
    package static let fileLimit = 500_000
    package static let depthLimit = 64

    package let folder: String
    /// Receives warnings about missing files; nil if the caller reports them.
    private let messages: MessageWriter?
    private var found: [[UInt8]: String?] = [:]
    private lazy var files = readFiles()

    package init?(_ typed: TypedArguments, _ messages: MessageWriter) throws(UsageError) {
        guard let folder = typed.value(.sourceRoot) else { return nil }
        do throws(SystemFailure) { _ = try FileSystem.names(in: folder.isEmpty ? "." : folder) } catch {
            throw .value(.sourceRoot, folder, expected: "a folder that can be read")
        }
        (self.folder, self.messages) = (folder, messages)
    }

    package init(folder: String) {
        self.folder = folder
        messages = nil
    }

    /// Nil where there is no such file, which is reported.
    package func path(of file: String) -> String? {
        let key = Array(file.utf8)
        if let known = found[key] { return known }
        let path = search(file)
        found[key] = .some(path)
        return path
    }

    /// The path of a file with the folder before it, as it is named from where we are; the name as it is where it is not there.
    package func shown(_ file: String) -> String {
        guard let path = path(of: file) else { return file }
        var parts = folder.split(separator: "/", omittingEmptySubsequences: true).filter { $0 != "." }
        parts += path.split(separator: "/")
        return (UTF8Order.begins(folder, with: "/") ? "/" : "") + parts.joined(separator: "/")
    }

    /// Absolute, ends in a slash.
    package var uri: String {
        let path = Self.uri(FileSystem.resolved(folder.isEmpty ? "." : folder) ?? folder)
        return "file://" + path + (UTF8Order.ends(path, with: "/") ? "" : "/")
    }

    package static func isFile(_ path: String, named name: String) -> Bool {
        guard !UTF8Order.begins(name, with: "/") else { return UTF8Order.equal(path, name) }
        let path = path.split(separator: "/").map { Array($0.utf8) }
        let name = name.split(separator: "/").filter { $0 != "." }.map { Array($0.utf8) }
        guard let base = name.last, base == path.last else { return false }
        if name.count == 2, base.suffix(6) == Array(".swift".utf8)[...] { return path.dropLast().contains(name[0]) }
        return path.suffix(name.count) == name[...]
    }

    private func search(_ name: String) -> String? {
        let file = SourceName(name)
        if file.isForeign, let path = foreign(file.path) { return path }
        return search(path: file.path)
    }

    /// The file below the folder that the end of a whole path names, which may be one of another machine.
    private func foreign(_ path: String) -> String? {
        if let path = below(path) { return path }
        let parts = path.split(separator: "/")
        for count in stride(from: parts.count - 1, to: 1, by: -1) {
            let end = parts.suffix(count).joined(separator: "/")
            let named = files[Array((parts.last ?? "").utf8)] ?? []
            if named.contains(where: { UTF8Order.equal($0, end) }) { return end }
        }
        return nil
    }

    private func search(path file: String) -> String? {
        guard !UTF8Order.begins(file, with: "/") else { return below(file) ?? reportMissing(file) }
        let parts = file.split(separator: "/").filter { $0 != "." }
        guard let base = parts.last else { return reportMissing(file) }
        let named = files[Array(base.utf8)] ?? []
        // A recorder that names whole paths below the folder is taken at its word.
        let whole = parts.joined(separator: "/")
        if let path = named.first(where: { UTF8Order.equal($0, whole) }) { return path }
        let rootName = folder.split(separator: "/").last.map { $0 + "/" } ?? ""
        let candidates = named.filter { parts.count > 1 && Self.isFile(rootName + $0, named: file) }
        guard let first = candidates.first else { return reportMissing(file) }
        if candidates.count > 1 { report(file, candidates) }
        return first
    }

    private lazy var real = FileSystem.resolved(folder.isEmpty ? "." : folder)

    /// The path has no links; nil where the file is none, or lies elsewhere.
    private func below(_ path: String) -> String? {
        guard let real, let file = FileSystem.resolved(path), FileSystem.isBelow(file, real),
            (try? FileStatus(file))?.kind == .regular
        else { return nil }
        return String(decoding: Array(file.utf8.dropFirst(real == "/" ? 1 : real.utf8.count + 1)), as: UTF8.self)
    }

    private func reportMissing(_ file: String) -> String? {
        messages?.warnOnce(
            code: "source.missing", "there is no '\(file)' below '\(folder)'",
            notes: ["it is named as the journal has it"])
        return nil
    }

    private func report(_ file: String, _ candidates: [String]) {
        let listed = candidates.prefix(5).map { "'\($0)'" }.joined(separator: ", ")
        messages?.warnOnce(
            code: "source.ambiguous",
            "'\(file)' may be any of \(candidates.count) files below '\(folder)'",
            notes: [listed + (candidates.count > 5 ? ", …" : "") + "; the first is named"],
            help: ["'--source-root' with a folder further down leaves only one"])
    }

    private struct FolderEntry {
        let name: String
        /// Nil for a file.
        let folder: FileStatus.Identity?
    }

    /// The files nearest to the folder come first; what is hidden is left out, and no folder is read twice.
    private func readFiles() -> [[UInt8]: [String]] {
        var files: [[UInt8]: [String]] = [:]
        var folders = [(path: "", depth: 0)]
        var seen: Set<FileStatus.Identity> = []
        var next = 0
        var count = 0
        while next < folders.count, count < Self.fileLimit {
            let (path, depth) = folders[next]
            next += 1
            for entry in entries(of: path) {
                count += 1
                let below = path.isEmpty ? entry.name : path + "/" + entry.name
                if let folder = entry.folder {
                    if depth < Self.depthLimit, seen.insert(folder).inserted { folders.append((below, depth + 1)) }
                } else {
                    files[Array(entry.name.utf8), default: []].append(below)
                }
            }
        }
        return files
    }

    /// What is hidden is left out.
    private func entries(of path: String) -> [FolderEntry] {
        let whole = (folder.isEmpty ? "." : folder) + (path.isEmpty ? "" : "/" + path)
        var entries: [FolderEntry] = []
        for name in (try? FileSystem.names(in: whole)) ?? [] where !UTF8Order.begins(name, with: ".") {
            let path = whole + "/" + name
            guard var status = try? FileStatus(notFollowing: path) else { continue }
            if status.kind == .other {
                // What a link leads to must lie in the folder, too.
                guard let real, let target = FileSystem.resolved(path), FileSystem.isBelow(target, real),
                    let found = try? FileStatus(target), found.kind != .other
                else { continue }
                status = found
            }
            entries.append(FolderEntry(name: name, folder: status.kind == .directory ? status.identity : nil))
        }
        return entries.sorted { UTF8Order.isLess($0.name, $1.name) }
    }

    /// What a journal's file name is called where a URI has to stand: a whole path is one of a file, an address stays one.
    package static func reference(_ name: String) -> String {
        let file = SourceName(name)
        if let address = file.address { return address }
        if UTF8Order.begins(file.path, with: "/") { return "file://" + uri(file.path) }
        return file.isForeign
            ? "file:///" + uri(file.path).replacing("%3A", with: ":", maxReplacements: 1) : uri(file.path)
    }

    /// A path as a URI reference (RFC 3986): everything but letters, digits, `-._~` and slashes in percents.
    package static func uri(_ path: String) -> String {
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

/// The path that a journal's name of a file stands for: a path, `file:///x`, `C:\x`, `http://host/x` or `webpack:///./x`.
struct SourceName {
    let path: String
    /// Whether it is a whole path by its form, which may be one of another machine.
    private(set) var isForeign = false
    /// The address of what a server gives, as a URI; nil for any other.
    private(set) var address: String?

    init(_ name: String) {
        guard let found = name.firstMatch(of: /^([A-Za-z][A-Za-z0-9+.-]+):\/\/([^\/]*)\//) else {
            let isWindows = name.wholeMatch(of: /[A-Za-z]:[\\\/].*/) != nil
            isForeign = isWindows
            // Nothing but a path of Windows has backslashes and no slash.
            path = isWindows || !name.utf8.contains(UInt8(ascii: "/")) ? name.replacing("\\", with: "/") : name
            return
        }
        let rest = name[found.range.upperBound...].prefix { $0 != "?" && $0 != "#" }
        let plain = Self.decoded(String(rest))
        switch found.1.lowercased() {
        case "file":
            isForeign = true
            path = plain.wholeMatch(of: /[A-Za-z]:\/.*/) == nil ? "/" + plain : plain
        case "http", "https":
            address = name[..<found.range.upperBound] + SourceRoot.uri(plain)
            isForeign = UTF8Order.begins(plain, with: "@fs/")
            path = isForeign ? String(plain.dropFirst(3)) : plain
        default:
            // 'webpack:///(rsc)/./src/a.ts': groups, and a way from the project's folder.
            path = String(plain.trimmingPrefix(/(\([^\/]*\)\/)*(\.\/)*/))
        }
    }

    private static func decoded(_ text: String) -> String {
        var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard byte == UInt8(ascii: "%"), digits.utf8.count == 2, let number = UInt8(digits, radix: 16), number > 0
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(number)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

package final class SourceTexts {
    private let folder: String?
    private lazy var root = SourceRoot(folder: folder ?? ".")
    private var files = NameTable<[String]>()

    private static let byteLimit = 16 << 20

    /// Nil for the present folder.
    package init(folder: String?) { self.folder = folder }

    package func lines(of file: String, _ range: Range<Int>) throws(CommandFailure) -> [String] {
        let lines = try all(of: file)
        let first = min(max(0, range.lowerBound - 1), lines.count)
        return Array(lines[first..<min(max(first, range.upperBound - 1), lines.count)])
    }

    private func all(of file: String) throws(CommandFailure) -> [String] {
        if let known = files[file] { return known }
        guard root.path(of: file) != nil else {
            throw CommandFailure(
                .notThere, code: "debug.no-source", "there is no '\(file)' below '\(folder ?? ".")'",
                help: ["'debug --source-root DIR' says where the sources are"])
        }
        let path = root.shown(file)
        guard let status = try? FileStatus(path), status.kind == .regular else {
            throw CommandFailure(.unreadable, Diagnostic(code: "debug.no-source", "'\(path)' is no file"))
        }
        let bytes = try InputFile.whole(path, limit: SourceTexts.byteLimit, code: "debug.no-source")
        // By bytes: a carriage return and the line feed after it are one character.
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        files[file] = lines
        return lines
    }
}

package struct SourcePlace: Sendable {
    /// The file as the program's compiler names it: `Shop/Cart.swift`.
    package let file: String
    /// Both from 1; nil where the record has no such number.
    package let line: Int?
    package let column: Int?
    package let function: String?

    package init?(_ record: Record) {
        guard let place = record.place, let file = place.file, !file.isEmpty else { return nil }
        self.file = file
        line = place.line.flatMap { $0 > 0 ? $0 : nil }
        column = place.column.flatMap { $0 > 0 ? $0 : nil }
        function = place.function.flatMap { $0.isEmpty ? nil : $0 }
    }

    package var text: String { file + (line.map { ":\($0)" } ?? "") }
}

extension Session {
    /// Nil where no commit was made, or it does not say where.
    package func commitPlace() throws(JournalError) -> SourcePlace? {
        guard let record = try commitRecord() else { return nil }
        return SourcePlace(try Record(record))
    }
}
