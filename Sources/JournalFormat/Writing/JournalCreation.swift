#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Makes a journal's file by the rules of the format: exclusively, through no symbolic link, for the owner only, locked.
struct JournalCreation {
    let path: String
    /// What an error says is kept: nothing but the start.
    let start: CommitNumber

    /// Makes the file, or replaces a regular one that nobody writes.
    func create(replacing: Bool) throws(JournalWriteError) -> FileDescriptor {
        if replacing { try removeExisting() }
        let descriptor: FileDescriptor
        do throws(SystemFailure) {
            descriptor = try FileDescriptor.open(
                path, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND, mode: 0o600)
        } catch {
            throw error.code == EEXIST ? failure(.exists) : JournalWriteError(path: path, error, lastKept: start)
        }
        // The lock is advisory, and a file system without locks is no reason to record nothing.
        _ = descriptor.lock()
        return descriptor
    }

    /// Removes what is to be replaced.
    ///
    /// A file that is being written, a device, a folder or a link stays, with an error.
    private func removeExisting() throws(JournalWriteError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw JournalWriteError(path: path, SystemFailure("open"), lastKept: start)
        }
        guard status.isRegularFile else { throw failure(.notAFile) }
        guard try !isBeingWritten() else { throw failure(.locked) }
        guard unlink(path) == 0 || errno == ENOENT else {
            throw JournalWriteError(path: path, SystemFailure("unlink"), lastKept: start)
        }
    }

    private func isBeingWritten() throws(JournalWriteError) -> Bool {
        do throws(SystemFailure) {
            let existing = try FileDescriptor.open(path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            return !existing.lock()
        } catch {
            throw JournalWriteError(path: path, error, lastKept: start)
        }
    }

    private func failure(_ cause: JournalWriteError.Cause) -> JournalWriteError {
        JournalWriteError(path: path, cause: cause, lastKept: start)
    }
}
