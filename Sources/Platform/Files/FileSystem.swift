#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// What is done with the names of files.
package enum FileSystem {
    /// Takes a name away; false where that cannot be.
    @discardableResult
    package static func remove(_ path: String) -> Bool { unlink(path) == 0 }

    /// Takes a name away, which may be gone already.
    package static func removeIfThere(_ path: String) throws(SystemFailure) {
        guard unlink(path) == 0 || errno == ENOENT else { throw SystemFailure("unlink") }
    }

    /// Gives a file another name in the place of its own, but never one that is taken.
    ///
    /// - Returns: false where the name is taken.
    package static func moveToFreeName(
        _ path: String, _ name: String, _ calls: SystemCalls
    ) throws(SystemFailure) -> Bool {
        guard try addFreeName(name, to: path, calls) else { return false }
        _ = calls.changeNames(.remove(path))
        return true
    }

    /// Puts a file in the place of another one, which gets a name that is free.
    ///
    /// Where the system exchanges names, there is a whole file at `path` at any time, and none has two names for good if the
    /// process is killed. Elsewhere a kill may leave the replaced file under both names, or, on a file system without links,
    /// under the new one only.
    ///
    /// - Returns: false where the name is taken; then nothing is changed.
    package static func replace(
        _ path: String, by next: String, keepingAs name: String, _ calls: SystemCalls
    ) throws(SystemFailure) -> Bool {
        guard try moveToFreeName(next, name, calls) else { return false }
        if calls.changeNames(.exchange(name, path)) >= 0 { return true }
        try rename(name, next, calls)
        guard try addFreeName(name, to: path, calls) else { return false }
        try rename(next, path, calls)
        return true
    }

    /// Gives a file a name that is free, besides its own; in the place of its own on a file system without links.
    private static func addFreeName(
        _ name: String, to path: String, _ calls: SystemCalls
    ) throws(SystemFailure) -> Bool {
        // A link is never made over another file, as a renamed one is.
        if calls.changeNames(.link(path, name)) >= 0 { return true }
        if errno == EEXIST || (try? FileStatus(notFollowing: name)) != nil { return false }
        try rename(path, name, calls)
        return true
    }

    private static func rename(_ path: String, _ name: String, _ calls: SystemCalls) throws(SystemFailure) {
        guard calls.changeNames(.rename(path, name)) >= 0 else { throw SystemFailure("rename") }
    }

    /// Makes a folder for its owner only; nothing where there is one.
    package static func makeFolder(_ path: String) { mkdir(path, 0o700) }

    /// The path without links and dots; nil where it leads nowhere.
    package static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// The names in a folder, in the system's order, without `.` and `..`.
    package static func names(in folder: String) throws(SystemFailure) -> [String] {
        guard let stream = opendir(folder) else { throw SystemFailure("opendir") }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Whether a path without links lies below a folder without links, by its bytes.
    package static func isBelow(_ path: String, _ folder: String) -> Bool {
        folder == "/" || Array(path.utf8).starts(with: (folder + "/").utf8)
    }

    /// Whether two paths lead to one file; `-` is the one that `standardInput` is open on.
    package static func isSame(_ path: String, _ input: String, standardInput: Int32) -> Bool {
        guard let left = try? FileStatus(path) else { return false }
        let right = try? input == "-" ? FileStatus(descriptor: standardInput) : FileStatus(input)
        return left.identity == right?.identity
    }
}
