import Platform

/// Makes a journal's file by the rules of the format: exclusively, through no symbolic link, for the owner only, locked.
struct JournalCreation {
    let path: String
    /// What an error says is kept: nothing but the start.
    let start: CommitNumber

    /// Makes the file, or replaces a regular one that is not being written.
    func create(replacing: Bool) throws(JournalWriteError) -> FileDescriptor {
        if replacing { try removeExisting() }
        let descriptor: FileDescriptor
        do throws(SystemFailure) {
            descriptor = try FileDescriptor.creating(path)
        } catch {
            throw error.code == Errno.fileExists
                ? failure(.exists) : JournalWriteError(path: path, error, lastKept: start)
        }
        // The lock is advisory: a file system without locks does not keep the run from being recorded.
        _ = descriptor.lock()
        return descriptor
    }

    /// Removes what is to be replaced.
    ///
    /// A file that is being written, a device, a folder or a link stays, with an error.
    private func removeExisting() throws(JournalWriteError) {
        let status: FileStatus
        do throws(SystemFailure) { status = try FileStatus(notFollowing: path) } catch {
            if error.code == Errno.noSuchFileOrDirectory { return }
            throw JournalWriteError(path: path, SystemFailure("open", code: error.code), lastKept: start)
        }
        guard status.kind == .regular else { throw failure(.notAFile) }
        guard try !isBeingWritten() else { throw failure(.locked) }
        do throws(SystemFailure) { try FileSystem.removeIfThere(path) } catch {
            throw JournalWriteError(path: path, error, lastKept: start)
        }
    }

    private func isBeingWritten() throws(JournalWriteError) -> Bool {
        do throws(SystemFailure) {
            let existing = try FileDescriptor.existing(path)
            return !existing.lock()
        } catch {
            throw JournalWriteError(path: path, error, lastKept: start)
        }
    }

    private func failure(_ cause: JournalWriteError.Cause) -> JournalWriteError {
        JournalWriteError(path: path, cause: cause, lastKept: start)
    }
}
