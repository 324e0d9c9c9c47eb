internal import JSONCore
internal import JournalFormat
internal import StateEncoding
internal import Synchronization

/// A property that a derived value reads, as the journal knows it.
///
/// Its place in the state's JSON is found again for each derived value that is declared: an enum, or an encoding of the
/// app's, may have moved it since the last time.
final class InputPointer: Sendable {
    private struct Known: Sendable {
        var text: String
        /// Every place where it was found.
        var set: PathSet
    }

    let path: any AnyKeyPath & Sendable
    private let known = Mutex<Known?>(nil)

    init(_ path: any AnyKeyPath & Sendable) { self.path = path }

    /// The JSON Pointer into the store's latest state; nil if it is not known.
    ///
    /// The caller holds the writing lock of the store's recorder.
    func resolve(in track: StoreTrack) -> String? {
        guard let text = track.pointer(for: path), let pointer = try? JSONPointer(parsing: text) else { return nil }
        known.withLock { known in
            if let known, UTF8Order.equal(known.text, text) { return }
            known = Known(text: text, set: PathSet(pointer).union(known?.set ?? .nothing))
        }
        return text
    }

    /// Whether a patch writes to a place where it was found, or above or below one; false if it never was.
    func isTouched(by patch: WrittenPaths) -> Bool {
        known.withLock { known in
            guard let set = known?.set else { return false }
            return patch.touches(set)
        }
    }
}

/// The declarations of one derived value in the journals of its stores: mostly one, of stores in two journals two.
struct JournalDeclarations: Sendable {
    /// One declaration, forgotten with the derived value that holds this.
    private final class Line: Sendable {
        let recorder: Recorder
        let declaration: DerivedDeclaration

        init(_ recorder: Recorder, _ declaration: DerivedDeclaration) {
            self.recorder = recorder
            self.declaration = recorder.declare(declaration)
        }

        deinit { recorder.forget(declaration) }

        /// Whether the value may reveal something redacted; the closure keeps neither this nor the recorder alive.
        var isSecret: @Sendable () -> Bool {
            { [declaration, weak recorder] in recorder?.isSecret(declaration) ?? declaration.isSecret }
        }
    }

    private var lines: [Line] = []
    /// The states that it reads, directly or not, each once.
    let sources: [DerivedInputSource]

    init() { sources = [] }

    init(_ name: String, inputs: [DerivedInputOrigin], at location: CommitLocation) {
        var sources: [DerivedInputSource] = []
        for source in inputs.flatMap(\.sources) where !sources.contains(source) { sources.append(source) }
        self.sources = sources
        for origin in inputs {
            for recorder in origin.recorders where !lines.contains(where: { $0.recorder === recorder }) {
                let declaration = DerivedDeclaration(
                    wanted: name, location: location, inputs: inputs.map { $0.declared(in: recorder) },
                    elsewhere: sources.filter { $0.recorder != recorder.identity })
                lines.append(Line(recorder, declaration))
            }
        }
    }

    var isEmpty: Bool { lines.isEmpty }

    /// The derived value's name in the first journal; nil without a recorder.
    var name: String? { lines.first.map { $0.recorder.name(of: $0.declaration) } }

    var recorders: [Recorder] { lines.map(\.recorder) }

    /// What is kept out of patches of the value: everything, from the time on when a journal has a hash for it.
    var protection: StateProtection? {
        guard let line = lines.first else { return nil }
        var secrets: [@Sendable () -> Bool] = []
        for line in lines where line.recorder.protection.hasRedactions || line.declaration.readsElsewhere {
            secrets.append(line.isSecret)
        }
        return StateProtection(
            protection: line.recorder.protection.withoutRedactions, name: line.declaration.wanted,
            wanted: line.declaration.wanted,
            isSecret: { [secrets] in secrets.contains { isSecret in isSecret() } })
    }

    func declaration(in recorder: Recorder) -> DerivedDeclaration? {
        lines.first { $0.recorder === recorder }?.declaration
    }
}

/// A state that derived values read, and the recorder that records it.
struct DerivedInputSource: Sendable, Equatable {
    private let path: any AnyKeyPath & Sendable
    /// The recorder's identity; nil for a store that is not recorded.
    let recorder: Int?
    private let protection: Protection?

    init(_ path: any AnyKeyPath & Sendable, recorder: Recorder?) {
        self.path = path
        self.recorder = recorder?.identity
        protection = recorder?.protection
    }

    private var state: Any.Type { type(of: path as AnyKeyPath).rootType }

    /// Whether it may hold something redacted: for a type in it, or by the recorder that records it.
    func mayHoldSecrets(_ types: TypeRedactions) -> Bool {
        types.concerns(state) || protection?.hasRedactions ?? false
    }

    static func == (left: DerivedInputSource, right: DerivedInputSource) -> Bool {
        left.state == right.state && left.recorder == right.recorder
    }
}

enum DerivedInputOrigin: Sendable {
    case property(InputPointer, recording: (recorder: Recorder, track: StoreTrack)?)
    case derived(JournalDeclarations)

    var recorders: [Recorder] {
        switch self {
        case .property(_, let recording): recording.map { [$0.recorder] } ?? []
        case .derived(let declarations): declarations.recorders
        }
    }

    var sources: [DerivedInputSource] {
        switch self {
        case .property(let pointer, let recording):
            [DerivedInputSource(pointer.path, recorder: recording?.recorder)]
        case .derived(let declarations): declarations.sources
        }
    }

    func declared(in recorder: Recorder) -> DerivedDeclaration.Input {
        switch self {
        case .property(let pointer, let recording):
            guard let recording, recording.recorder === recorder else { return .unknown }
            return .property(pointer, of: recording.track)
        case .derived(let declarations): return declarations.declaration(in: recorder).map { .derived($0) } ?? .unknown
        }
    }
}
