#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

extension FileDescriptor {
    /// Reads on from a descriptor that is owned elsewhere; 0 at the end.
    package static func read(
        from number: Int32, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemFailure) -> Int {
        while true {
            let count = unsafe systemRead(number, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            if errno != EINTR { throw SystemFailure("read") }
        }
    }

    /// Reads on from a descriptor that is owned elsewhere, as many bytes as the span has room for; 0 at the end.
    package static func read(from number: Int32, into room: inout MutableSpan<UInt8>) throws(SystemFailure) -> Int {
        unsafe try room.withUnsafeMutableBytes { (buffer) throws(SystemFailure) in
            unsafe try read(from: number, into: buffer)
        }
    }

    package static func write(_ bytes: [UInt8], to number: Int32) throws(SystemFailure) {
        unsafe try bytes.withUnsafeBufferPointer { (bytes) throws(SystemFailure) in
            unsafe try write(UnsafeRawBufferPointer(bytes), to: number)
        }
    }

    /// Writes every byte to a descriptor that is owned elsewhere, however often `write(2)` takes only a part.
    package static func write(_ bytes: UnsafeRawBufferPointer, to number: Int32) throws(SystemFailure) {
        guard let base = bytes.baseAddress else { return }
        var done = 0
        while done < bytes.count {
            let count = unsafe SystemCalls.plainWrite(number, base + done, bytes.count - done)
            if count >= 0 {
                done += count
            } else if errno == EAGAIN {
                waitUntilWritable(number, milliseconds: -1)
            } else if errno != EINTR {
                throw SystemFailure("write")
            }
        }
    }

    /// Errors are ignored, since nothing depends on the text being read.
    package static func writeToStandardError(_ text: String) {
        var text = text
        try? text.withUTF8 { unsafe try write(UnsafeRawBufferPointer($0), to: 2) }
    }

    /// Reads a descriptor that is owned elsewhere to its end.
    ///
    /// - Complexity: all of it is in memory at once.
    package static func readAll(from number: Int32) throws(SystemFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            var room = block.mutableSpan
            let count = try read(from: number, into: &room)
            if count == 0 { return bytes }
            bytes += block[..<count]
        }
    }

    package static func readAll(of path: String) throws(SystemFailure) -> [UInt8] {
        let file = try reading(path)
        return try readAll(from: file.number)
    }

    /// Waits until a descriptor takes bytes, for so many milliseconds at most; for ever where that is negative.
    static func waitUntilWritable(_ number: Int32, milliseconds: Int32) {
        var request = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&request, 1, milliseconds)
    }
}

private func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(file, buffer, count)
}
