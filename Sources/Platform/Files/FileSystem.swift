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
    package static func moveToFreeName(_ path: String, _ name: String) throws(SystemFailure) -> Bool {
        // A link is never made over another file, as a renamed one is.
        if link(path, name) == 0 {
            unlink(path)
            return true
        }
        if errno == EEXIST { return false }
        // A file system without links.
        if (try? FileStatus(notFollowing: name)) != nil { return false }
        guard rename(path, name) == 0 else { throw SystemFailure("rename") }
        return true
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

    /// Whether two paths lead to one file; `-` is the one that `standardInput` is open on.
    package static func isSame(_ path: String, _ input: String, standardInput: Int32) -> Bool {
        guard let left = try? FileStatus(path) else { return false }
        let right = try? input == "-" ? FileStatus(descriptor: standardInput) : FileStatus(input)
        return left.identity == right?.identity
    }
}
