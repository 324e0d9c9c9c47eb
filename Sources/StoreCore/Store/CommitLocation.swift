public import JournalFormat
internal import Synchronization

/// The place in the app's source that a commit came from.
///
/// Plain data: each commit copies it several times, and a copy counts no reference. Its texts are literals, or kept for the life of
/// the process.
@safe
public struct CommitLocation: @unchecked Sendable {
    // Unchecked: the texts are never changed and never released.

    @usableFromInline let fileStart: UnsafePointer<UInt8>
    @usableFromInline let functionStart: UnsafePointer<UInt8>
    @usableFromInline let fileLength: Int32
    @usableFromInline let functionLength: Int32
    private let lineNumber: Int32
    private let columnNumber: Int32

    /// Counted from 1.
    public var line: Int { Int(lineNumber) }
    /// Counted from 1, in UTF-8 bytes.
    public var column: Int { Int(columnNumber) }
    /// `#fileID`: the module's name, a slash, the file's base name.
    public var file: String {
        unsafe String(decoding: UnsafeBufferPointer(start: fileStart, count: Int(fileLength)), as: UTF8.self)
    }
    /// `#function`.
    public var function: String {
        unsafe String(decoding: UnsafeBufferPointer(start: functionStart, count: Int(functionLength)), as: UTF8.self)
    }

    /// Names a place by literals.
    @inlinable
    public init(file: StaticString, line: Int, column: Int, function: StaticString) {
        // A literal of a single character is none in memory.
        let file = file.hasPointerRepresentation ? file : ""
        let function = function.hasPointerRepresentation ? function : ""
        unsafe self.init(
            file: file.utf8Start, Int32(truncatingIfNeeded: file.utf8CodeUnitCount), line: line, column: column,
            function: function.utf8Start, Int32(truncatingIfNeeded: function.utf8CodeUnitCount))
    }

    @unsafe @usableFromInline
    init(
        file: UnsafePointer<UInt8>, _ fileLength: Int32, line: Int, column: Int, function: UnsafePointer<UInt8>,
        _ functionLength: Int32
    ) {
        unsafe (fileStart, functionStart) = unsafe (file, function)
        (self.fileLength, self.functionLength) = (fileLength, functionLength)
        (lineNumber, columnNumber) = (Int32(clamping: line), Int32(clamping: column))
    }

    /// Names a place that is known at run time only; its texts are kept for the life of the process, each once.
    public init(_ location: SourceLocation) {
        let (file, function) = (KeptText.of(location.file), KeptText.of(location.function))
        unsafe self.init(
            file: file.start, Int32(file.count), line: location.line, column: location.column,
            function: function.start, Int32(function.count))
    }

    /// The file's name and the line, `Cart.swift:12`: what is called so has no other name.
    @usableFromInline
    var shortText: String { "\(file.split(separator: "/").last ?? ""):\(line)" }

    /// The place as journals have it.
    public var source: SourceLocation { SourceLocation(file: file, line: line, column: column, function: function) }

    /// Whether both lie in the same memory, which two that are equal mostly do.
    func isIdentical(to other: CommitLocation) -> Bool {
        unsafe fileStart == other.fileStart && functionStart == other.functionStart && lineNumber == other.lineNumber
            && columnNumber == other.columnNumber && fileLength == other.fileLength
            && functionLength == other.functionLength
    }

    /// A number that differs for most places.
    var mixed: Int {
        unsafe Int(truncatingIfNeeded: UInt(bitPattern: functionStart) &>> 3) &+ Int(lineNumber) &* 31
            &+ Int(columnNumber)
    }
}

extension CommitLocation: Hashable {
    /// Whether both are one place; texts are compared by their bytes.
    public static func == (a: CommitLocation, b: CommitLocation) -> Bool {
        a.isIdentical(to: b) || a.source == b.source
    }

    /// Hashes the bytes of the texts.
    public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

/// Texts of places that are no literals.
private enum KeptText {
    private static let known = Mutex<[String: KeptBytes]>([:])

    @safe struct KeptBytes: @unchecked Sendable {
        // Unchecked: never changed and never released.
        let start: UnsafePointer<UInt8>
        let count: Int
    }

    static func of(_ text: String) -> KeptBytes {
        known.withLock { known in
            if let kept = known[text] { return kept }
            let bytes = Array(text.utf8)
            let place = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, bytes.count))
            unsafe place.initialize(repeating: 0, count: max(1, bytes.count))
            for (index, byte) in bytes.enumerated() { unsafe place[index] = byte }
            let kept = unsafe KeptBytes(start: UnsafePointer(place), count: bytes.count)
            known[text] = kept
            return kept
        }
    }
}
