import CommandLine
import Commands
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import Platform
import TimeTravel

/// What a `launch` or an `attach` asks for, each member of its type.
struct DapLaunch {
    let journals: [String]
    let sourceRoots: [String]
    let position: PositionText
    let invariants: [Invariant]
    let definitions: [DerivedValue]
    let scope: StoreScope
    let recovers: Bool
    let direction: SessionDirection
    /// What there is to say of members that are not known.
    let warnings: [String]

    private static let known = [
        "journal", "program", "sourceRoot", "stopOnEntry", "invariants", "define", "definitions", "store", "recover",
        "direction",
    ]
    /// Members that an editor adds for itself.
    private static let editorsOwn: Set = ["type", "name", "request", "noDebug"]

    /// Reads the arguments.
    ///
    /// - Throws: `DapError` for a member of another type, and what the command line throws for what it means.
    init(_ arguments: DapArguments) throws {
        // Editors fill in a program by themselves.
        let named = try arguments.strings("journal")
        journals = try named.isEmpty ? arguments.strings("program") : named
        guard !journals.isEmpty, !journals.contains("-") else {
            throw DapError("'journal' is missing: the path of the journal, or a list of them", isShown: true)
        }
        sourceRoots = try arguments.strings("sourceRoot")
        var typed = TypedArguments()
        typed.command = .dap
        if let store = try arguments.string("store") { typed.add(.store, store) }
        for path in try arguments.strings("definitions") { typed.add(.definitions, path) }
        for path in try arguments.strings("invariants") { typed.add(.invariants, path) }
        if let defined = try arguments.arguments("define") {
            for name in defined.object.keys { typed.add(.define, name + "=" + (try defined.string(name) ?? "")) }
        }
        recovers = try arguments.bool("recover") ?? false
        if recovers { typed.add(.recover, "--recover") }
        scope = try StoreScope(typed)
        definitions = try DerivedDefinitions(typed, scope).values(declared: [])
        invariants = try typed.has(.invariants) ? InvariantDefinitions(typed).invariants : []
        position = try DapLaunch.entry(arguments)
        switch try arguments.string("direction") {
        case nil, "forward"?: direction = .forward
        case "reverse"?: direction = .backward
        case let word?: throw DapError("'direction' is '\(word)', should be 'forward' or 'reverse'", isShown: true)
        }
        warnings = arguments.object.keys.filter { name in
            !DapLaunch.known.contains(name) && !DapLaunch.editorsOwn.contains(name)
                && !UTF8Order.begins(name, with: "__")
        }.map { name in
            let nearest = SimilarNames.nearest(to: name, in: DapLaunch.known).first.map { "; write '\($0)'" } ?? ""
            return "there is no '\(ControlCharacters.escaped(name))' in a launch" + nearest
        }
    }

    /// Where to stop first.
    private static func entry(_ arguments: DapArguments) throws -> PositionText {
        switch arguments.object["stopOnEntry"] {
        case nil, .null?, .bool?: return .end
        case .string(let text)?: return try PositionText(parsing: text)
        case .number(let number)?: return try PositionText(parsing: number.text)
        default: throw DapError("'stopOnEntry' is not a position", isShown: true)
        }
    }

    /// Opens the journal; several are merged into one without a name.
    func open(_ environment: Environment) throws -> Journal {
        let limit = JournalOpener.spoolLimit(environment)
        var path = journals[0]
        var merged: FileDescriptor?
        if journals.count > 1 {
            let file = try TemporaryFile.make()
            var merge = try JournalMerge(journals.map { try Journal.open($0, access: .sequential, spoolLimit: limit) })
            let number = file.number
            _ = try merge.write(to: LineSink { bytes in try FileDescriptor.write(bytes, to: number) })
            path = "/dev/fd/\(number)"
            merged = consume file
        }
        let journal = try Journal.open(path, access: .random, spoolLimit: limit, recover: recovers)
        // The journal has a descriptor of its own now.
        _ = consume merged
        return recovers ? journal.recovering() : journal
    }
}

extension Journal {
    /// Opens a plain file anew, to see whether it has grown; nil for what was copied or unpacked, which does not grow.
    var reopening: (() throws(JournalError) -> Journal)? {
        guard path != "-", let status = try? FileStatus(path), status.kind == .regular, status.byteCount == byteCount
        else { return nil }
        return { [path, recovers] () throws(JournalError) in
            let journal = try Journal.open(path, access: .random)
            return recovers ? journal.recovering() : journal
        }
    }
}
