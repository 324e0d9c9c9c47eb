/// Bytes that are kept one after another and never move.
final class KeptBytes {
    /// Takes what is kept, in pieces that are larger than most lines.
    struct Builder: ~Copyable {
        private static let pieceLength = 1 << 16

        private var pieces: [UnsafeMutableRawBufferPointer] = []
        /// How much of the last piece is used.
        private var used = 0

        deinit { for piece in pieces { piece.deallocate() } }

        /// Keeps a copy of bytes, at a place that a multiple of 16 divides.
        mutating func append(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
            if pieces.last.map({ $0.count - used < bytes.count }) ?? true {
                let length = max(bytes.count, pieces.isEmpty ? Builder.pieceLength / 16 : Builder.pieceLength)
                pieces.append(.allocate(byteCount: length, alignment: 16))
                used = 0
            }
            let room = UnsafeMutableRawBufferPointer(rebasing: pieces[pieces.count - 1][used..<(used + bytes.count)])
            room.copyMemory(from: bytes)
            used = min(used + bytes.count + 15 & ~15, pieces[pieces.count - 1].count)
            return UnsafeRawBufferPointer(room)
        }

        /// Returns what is kept.
        mutating func take() -> KeptBytes {
            defer { pieces = [] }
            return KeptBytes(pieces)
        }
    }

    private let pieces: [UnsafeMutableRawBufferPointer]

    private init(_ pieces: [UnsafeMutableRawBufferPointer]) { self.pieces = pieces }

    deinit { for piece in pieces { piece.deallocate() } }
}
