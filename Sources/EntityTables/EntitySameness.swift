internal import StateEncoding

/// How two versions of an entity are told apart: by `==` where they have it, otherwise by their bytes.
enum EntitySameness<Entity> {
    typealias Comparison = (UnsafePointer<Entity>, UnsafePointer<Entity>) -> Bool

    /// The comparison for a type, found once for each search for a difference.
    static var comparison: Comparison {
        if let equatable = Entity.self as? any Equatable.Type { return comparison(of: equatable) }
        let layout = ByteLayout.of(Entity.self)
        return { layout.same($0, $1) }
    }

    private static func comparison<Value: Equatable>(of type: Value.Type) -> Comparison {
        { left, right in
            UnsafeRawPointer(left).assumingMemoryBound(to: Value.self).pointee
                == UnsafeRawPointer(right).assumingMemoryBound(to: Value.self).pointee
        }
    }
}
