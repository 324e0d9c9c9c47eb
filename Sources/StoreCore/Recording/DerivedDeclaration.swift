internal import JSONCore
internal import JournalFormat
internal import StateEncoding
internal import Synchronization

final class DerivedDeclaration: @unchecked Sendable {
    // Unchecked: the ticket is set before ``Recorder/declare(_:)`` returns it; the name and the pointers under the writing lock,
    // before the recorder's `writtenTicket` count is raised past the ticket, and read by others only after they saw that count.

    enum Input: Sendable {
        case property(InputPointer, of: StoreTrack)
        case derived(DerivedDeclaration)
        /// An input that is not in this journal.
        case unknown
    }

    let location: CommitLocation
    private let inputs: [Input]
    /// The states that it reads, directly or not, of stores that are not in this journal.
    private let elsewhere: [DerivedInputSource]
    let wanted: String
    /// Unique in the journal; the wanted one until the line is composed.
    var name: String
    /// Its place in the recorder's queue; 0 if the recorder was already closed.
    var ticket = 0
    /// JSON Pointers into the whole state; nil while they are not known.
    private(set) var pointers: [String]?
    /// Whether its value may reveal something redacted; known with the pointers, and never reset.
    var isSecret: Bool {
        get { secrecy.load(ordering: .relaxed) }
        set { secrecy.store(newValue, ordering: .relaxed) }
    }
    private let secrecy = Synchronization.Atomic(false)

    init(wanted name: String, location: CommitLocation, inputs: [Input], elsewhere: [DerivedInputSource] = []) {
        wanted = name
        self.name = name
        self.location = location
        self.inputs = inputs
        self.elsewhere = elsewhere
    }

    var readsElsewhere: Bool { !elsewhere.isEmpty }

    /// Whether a store that is not in this journal may hold something redacted, as far as is known by now.
    func readsSecretElsewhere(_ types: TypeRedactions) -> Bool { elsewhere.contains { $0.mayHoldSecrets(types) } }

    var from: [String] {
        var names: [String] = []
        for case .derived(let declaration) in inputs
        where !names.contains(where: { UTF8Order.equal($0, declaration.name) }) {
            names.append(declaration.name)
        }
        return names
    }

    /// Whether something that it reads, or what it reads reads, is not where it was found; under the writing lock.
    var hasLostPlace: Bool {
        inputs.contains { input in
            switch input {
            case .unknown: false
            case .property(let pointer, let track): track.hasLost(pointer.path)
            case .derived(let declaration): declaration.isSecret
            }
        }
    }

    var readsRedactedStore: Bool {
        inputs.contains { input in
            switch input {
            case .unknown: false
            case .property(_, let track): track.hasRedactions
            case .derived(let declaration): declaration.readsRedactedStore
            }
        }
    }

    /// Finds the places of its inputs; under the writing lock.
    func resolve() {
        var pointers: [String] = []
        for input in inputs {
            guard let own = DerivedDeclaration.pointers(of: input) else { return }
            for pointer in own where !pointers.contains(where: { UTF8Order.equal($0, pointer) }) {
                pointers.append(pointer)
            }
        }
        self.pointers = pointers
    }

    private static func pointers(of input: Input) -> [String]? {
        switch input {
        case .unknown: return nil
        case .derived(let declaration): return declaration.pointers
        case .property(let pointer, let track):
            guard let text = pointer.resolve(in: track) else { return nil }
            var store = ""
            JSONPointer.appendEscaped(track.name, to: &store)
            return ["/\(store)\(text)"]
        }
    }
}
