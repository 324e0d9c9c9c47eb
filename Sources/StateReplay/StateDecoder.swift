package import JSONCore
internal import StateEncoding

/// Decodes a recorded state, or a part of one, back into Swift.
///
/// The counterpart of ``StateEncoder``: it reads the forms that the journal has for Swift values, which are not those of
/// `JSONDecoder`. Numbers are read from their text, so that 64 bits come back as they were.
package enum StateDecoder {
    /// - Parameter depthLimit: how deep values may nest; on a thread whose stack is too small for that it is less.
    /// - Throws: the first part of the value that cannot be decoded as its type, with its JSON Pointer.
    /// - Complexity: O(the value), and what its types' own `init(from:)` add.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from value: JSONValue, depthLimit: Int = JSONPatch.pathDepthLimit
    ) throws(StateDecodingError) -> Value {
        let pass = DecodingPass(depthLimit: depthLimit)
        do {
            return try LevelDecoder(value, at: DecodingPlace(), pass).decode(type)
        } catch {
            throw StateDecodingError(
                error, at: pass.failure?.place ?? DecodingPlace(), type: pass.failure?.type ?? type)
        }
    }
}

/// The state of one walk of decoding: how deep it is, and where it failed.
final class DecodingPass {
    let depthLimit: Int
    /// As many levels as fit into any stack without a check.
    private static let shallow = 32
    private var depth = 0
    private var stackRoom: StackRoom?
    /// The innermost value whose `init(from:)` threw, while the error is on its way out.
    private(set) var failure: (place: DecodingPlace, type: Any.Type)?

    init(depthLimit: Int) {
        self.depthLimit = depthLimit
    }

    /// Counts one value inside another for the length of `body`, and notes where an error came from.
    func nested<Value>(at place: DecodingPlace, _ body: () throws -> Value) throws -> Value {
        depth += 1
        defer { depth -= 1 }
        if depth > Self.shallow || place.depth > Self.shallow {
            try checkRoom(max(depth, place.depth), Value.self, place)
        }
        do {
            let value = try body()
            failure = nil
            return value
        } catch {
            if failure == nil { failure = (place, Value.self) }
            throw error
        }
    }

    func checkRoom(at place: DecodingPlace, _ type: Any.Type) throws {
        if place.depth > Self.shallow { try checkRoom(place.depth, type, place) }
    }

    private func checkRoom(_ levels: Int, _ type: Any.Type, _ place: DecodingPlace) throws {
        let room = stackRoom ?? StackRoom()
        stackRoom = room
        if levels <= depthLimit, room.isLeft { return }
        throw place.failure(.tooDeep(limit: min(depthLimit, levels - 1)), type)
    }
}

/// Where in a state a value is: a chain from the value up to the root, shared by all that is below.
final class DecodingPlace {
    private let parent: DecodingPlace?
    private let key: PathKey?
    /// How many steps it is away from the root.
    let depth: Int

    init() {
        (parent, key, depth) = (nil, nil, 0)
    }

    private init(_ key: PathKey, in parent: DecodingPlace) {
        (self.parent, self.key, depth) = (parent, key, parent.depth + 1)
    }

    func member(_ name: String) -> DecodingPlace { DecodingPlace(PathKey(stringValue: name), in: self) }

    func element(_ index: Int) -> DecodingPlace { DecodingPlace(PathKey(intValue: index), in: self) }

    var codingPath: [any CodingKey] {
        var keys: [any CodingKey] = []
        var place: DecodingPlace? = self
        while let here = place {
            if let key = here.key { keys.append(key) }
            place = here.parent
        }
        return keys.reversed()
    }

    /// An error of this place, in the form that an `init(from:)` expects of a decoder.
    func failure(_ reason: StateDecodingError.Reason, _ type: Any.Type) -> DecodingError {
        let error = StateDecodingError(path: codingPath.pointer, type: "\(type)", reason: reason)
        let context = DecodingError.Context(
            codingPath: codingPath, debugDescription: error.words, underlyingError: error)
        switch reason {
        case .mismatch(_, found: "null"): return .valueNotFound(type, context)
        case .mismatch: return .typeMismatch(type, context)
        default: return .dataCorrupted(context)
        }
    }
}

extension [any CodingKey] {
    /// The way as a JSON Pointer (RFC 6901).
    var pointer: String {
        JSONPointer(map(\.stringValue)).text
    }
}
