internal import JSONCore
internal import JournalFormat

/// A derived value as the journal declares it.
final class DerivedDeclaration: @unchecked Sendable {
    // Unchecked: `name` is set by the recorder before the declaration is handed to anybody; the pointers are set under the
    // writing lock before ``Recorder/declare(_:)`` returns it.

    let location: SourceLocation
    let from: [DerivedDeclaration]
    private let track: any StoreTrack
    private let paths: [AnyKeyPath]
    /// Unique in the journal.
    var name: String
    /// JSON Pointers into the whole state; nil where they are not known.
    private(set) var pointers: [String]?
    /// The same as a set of paths into the store's own state.
    private(set) var inputs: PathSet?

    /// Declares a derived value that reads properties of a store, or other derived values of it.
    init(
        wanted name: String, location: SourceLocation, track: any StoreTrack, paths: [AnyKeyPath] = [],
        from: [DerivedDeclaration] = []
    ) {
        self.name = name
        self.location = location
        self.track = track
        self.paths = paths
        self.from = from
    }

    /// Finds out what the derived value reads; under the writing lock.
    func resolve() {
        guard let own = track.pointers(for: paths), from.allSatisfy({ $0.inputs != nil }) else { return }
        var inputs = PathSet.nothing
        for text in own {
            guard let pointer = try? JSONPointer(parsing: text) else { return }
            inputs.insert(pointer)
        }
        var store = ""
        JSONPointer.appendEscaped(track.name, to: &store)
        var pointers = own.map { "/\(store)\($0)" }
        for declaration in from {
            inputs = inputs.union(declaration.inputs ?? .nothing)
            for pointer in declaration.pointers ?? [] where !pointers.contains(pointer) { pointers.append(pointer) }
        }
        self.inputs = inputs
        self.pointers = pointers
    }
}
