#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// What is done with the names of files.
package enum FileSystem {
    @discardableResult
    package static func remove(_ path: String) -> Bool { unsafe unlink(path) == 0 }

    /// Takes a name away, which may be gone already.
    package static func removeIfThere(_ path: String) throws(SystemFailure) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw SystemFailure("unlink") }
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

    /// Gives a file another name in the place of its own, and of the file that has that name.
    package static func rename(_ path: String, _ name: String, _ calls: SystemCalls) throws(SystemFailure) {
        guard calls.changeNames(.rename(path, name)) >= 0 else { throw SystemFailure("rename") }
    }

    /// A file's name with a suffix, cut so that both have the bytes that a name may have on all file systems in use.
    ///
    /// - Parameter reserve: how many bytes are to be added later.
    package static func fitting(_ name: String, suffix: String, reserve: Int = 0) -> String {
        var name = name[...]
        while !name.isEmpty, name.utf8.count + suffix.utf8.count + reserve > 255 { name.removeLast() }
        return name + suffix
    }

    /// The bytes that a file of this process may have (`ulimit -f`), which can change at any time.
    static var sizeLimit: Int {
        var limit = rlimit()
        guard unsafe getrlimit(fileSizeResource, &limit) == 0 else { return .max }
        return Int(clamping: limit.rlim_cur)
    }

    /// Makes a folder for its owner only; nothing where there is one.
    package static func makeFolder(_ path: String) { unsafe mkdir(path, 0o700) }

    /// The path from the root on, by the folder that the process is in now; as it is where that has no name any more.
    package static func absolute(_ path: String) -> String {
        guard path.utf8.first != UInt8(ascii: "/"), !path.isEmpty, let folder = unsafe getcwd(nil, 0) else {
            return path
        }
        defer { unsafe free(folder) }
        return unsafe String(cString: folder) + "/" + path
    }

    /// The path without links and dots; nil where it leads nowhere.
    package static func resolved(_ path: String) -> String? {
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    /// The names in a folder, in the system's order, without `.` and `..`.
    package static func names(in folder: String) throws(SystemFailure) -> [String] {
        guard let stream = unsafe opendir(folder) else { throw SystemFailure("opendir") }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
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

#if canImport(Glibc)
private let fileSizeResource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
#else
private let fileSizeResource = RLIMIT_FSIZE
#endif
