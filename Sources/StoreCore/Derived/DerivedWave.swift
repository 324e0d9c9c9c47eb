/// One commit's wave through the derived values: each one that it may touch is evaluated once, after all of its inputs.
///
/// It is kept for the next commit, so that its memory is: touched under the network's lock only.
struct DerivedWave {
    private var vertices: [DerivedVertex] = []

    var isEmpty: Bool { vertices.isEmpty }

    /// Adds all derived values that read a property, directly or not.
    mutating func touch(_ property: DerivedProperty) {
        var next = vertices.count
        append(property.readers)
        while next < vertices.count {
            append(vertices[next].readers)
            next += 1
        }
    }

    private mutating func append(_ readers: [DerivedReader]) {
        for reader in readers where !reader.vertex.isInWave {
            reader.vertex.isInWave = true
            vertices.append(reader.vertex)
        }
    }

    /// - Parameter body: called with each, all of whose inputs are up to date.
    mutating func run(_ body: (DerivedVertex) -> Void) {
        if vertices.count > 1 { vertices.sort { $0.birth < $1.birth } }
        for vertex in vertices {
            vertex.isInWave = false
            body(vertex)
        }
        vertices.removeAllKeepingFew()
    }
}

/// A derived value that a commit fired, to be delivered once the store's own subscribers have received the commit.
struct FiredValue {
    let vertex: DerivedVertex
    /// The value's version; nil where it has no subscribers.
    let version: Int?
    /// The value before, which is released outside of the network's lock.
    let previous: StateVersion?
}

extension Array {
    /// Removes all elements, and keeps the memory of a few.
    mutating func removeAllKeepingFew() {
        // Mostly there is one: to remove it alone is a tenth of the work.
        if count == 1 { removeLast() } else { removeAll(keepingCapacity: count <= 64) }
    }
}
