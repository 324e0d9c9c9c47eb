import Platform

/// Makes a journal's file by the rules of the format: exclusively, through no symbolic link, for the owner only, locked.
struct JournalCreation {
    let path: String
    /// What an error says is kept: nothing but the start.
    let start: CommitNumber

    func create() throws(JournalWriteError) -> FileDescriptor {
        let descriptor: FileDescriptor
        do throws(SystemFailure) {
            descriptor = try FileDescriptor.creating(path)
        } catch {
            throw error.code == Errno.fileExists ? failure(.exists) : failure(error)
        }
        // The lock is advisory: a file system without locks does not keep the run from being recorded.
        _ = descriptor.lock()
        return descriptor
    }

    /// Makes a file that is to be renamed when it is whole, in the place of one that a killed process left half made.
    func createTemporary() throws(JournalWriteError) -> FileDescriptor {
        if try lockExisting() != nil {
            do throws(SystemFailure) { try FileSystem.removeIfThere(path) } catch { throw failure(error) }
        }
        return try create()
    }

    /// Opens and locks the file that is there, so that no other process writes or replaces it meanwhile.
    ///
    /// - Returns: nil where there is none.
    /// - Throws: `JournalWriteError` where it is being written, or is a device, a folder or a link.
    func lockExisting() throws(JournalWriteError) -> FileDescriptor? {
        guard let status = try status() else { return nil }
        guard status.kind == .regular else { throw failure(.notAFile) }
        let existing: FileDescriptor
        do throws(SystemFailure) { existing = try FileDescriptor.existing(path) } catch { throw failure(error) }
        guard existing.lock() else { throw failure(.locked) }
        // Another process may have put its own file there before this one had the lock.
        guard try self.status()?.identity == status.identity else { throw failure(.locked) }
        return existing
    }

    private func status() throws(JournalWriteError) -> FileStatus? {
        do throws(SystemFailure) { return try FileStatus(notFollowing: path) } catch {
            if error.code == Errno.noSuchFileOrDirectory { return nil }
            throw failure(SystemFailure("open", code: error.code))
        }
    }

    private func failure(_ cause: JournalWriteError.Cause) -> JournalWriteError {
        JournalWriteError(path: path, cause: cause, lastKept: start)
    }

    private func failure(_ failure: SystemFailure) -> JournalWriteError {
        JournalWriteError(path: path, failure, lastKept: start)
    }
}
