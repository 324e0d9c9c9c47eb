import Platform

/// The content of a pipe in a file without a name, which can be read at any place.
struct SpooledFile: ~Copyable {
    let descriptor: FileDescriptor
    let size: Int

    private init(_ descriptor: consuming FileDescriptor, size: Int) {
        self.descriptor = descriptor
        self.size = size
    }

    /// Copies everything that a source has; the file is then at its front.
    ///
    /// - Parameter limit: how many bytes that may be.
    static func holding(_ source: ByteSource, path: String, limit: Int) throws(JournalError) -> SpooledFile {
        let file: FileDescriptor
        do throws(SystemFailure) { file = try TemporaryFile.make() } catch { throw JournalError(path: path, error) }
        var block = [UInt8](repeating: 0, count: 1 << 20)
        var size = 0
        while true {
            var room = block.mutableSpan
            let count = try source.read(into: &room, at: size)
            if count == 0 { break }
            guard count <= limit - size else { throw JournalError(path: path, .unpacksTooLarge(limit: limit)) }
            do throws(SystemFailure) {
                try file.write(block.span.extracting(..<count))
            } catch {
                throw JournalError(path: path, SystemFailure("write to a temporary file", code: error.code))
            }
            size += count
            source.progress?(size, nil)
        }
        do throws(SystemFailure) { try file.rewind() } catch { throw JournalError(path: path, error) }
        return SpooledFile(file, size: size)
    }
}
