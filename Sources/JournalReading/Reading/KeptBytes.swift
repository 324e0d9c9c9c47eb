import JSONCore

/// Bytes that are kept one after another and never move.
final class KeptBytes {
    private static let pieceLength = 1 << 16

    /// They are larger than most lines.
    private var pieces: [Piece] = []
    private var used = 0

    private final class Piece {
        var bytes: PinnedArray<UInt8>

        init(count: Int) { bytes = PinnedArray(repeating: 0, count: count) }
    }

    /// Keeps a copy of bytes, at a place that a multiple of 16 divides.
    func append(_ bytes: ByteView) -> ByteView {
        if pieces.last.map({ $0.bytes.count - used < bytes.count }) ?? true {
            let length = KeptBytes.pieceLength
            pieces.append(Piece(count: max(bytes.count, pieces.isEmpty ? length / 16 : length)))
            used = 0
        }
        let piece = pieces[pieces.count - 1]
        let place = used..<(used + bytes.count)
        piece.bytes.copy(bytes, to: place.lowerBound)
        used = min((place.upperBound + 15) & ~15, piece.bytes.count)
        return piece.bytes.bytes(place)
    }
}
