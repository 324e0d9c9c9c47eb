/// Sets the identity of a value whose type does not say how: it is a stored property of most.
package enum StoredIdentity {
    /// Sets the stored property that `id` reads.
    ///
    /// The properties are those that the runtime knows of the type; which one it is, `id` itself shows.
    ///
    /// - Returns: false where there is none, or the type is no struct; then nothing changed.
    package static func set<Value: Identifiable>(_ id: Value.ID, of value: inout Value) -> Bool {
        guard RuntimeFields.kind(of: Value.self) == .structure, let fields = RuntimeFields.stored(in: Value.self)
        else { return false }
        let before = value
        for field in fields where field.type == Value.ID.self {
            unsafe withUnsafeMutablePointer(to: &value) { value in
                // Within the value, and of that type: the runtime says so.
                let place = unsafe UnsafeMutableRawPointer(value) + field.offset
                unsafe place.assumingMemoryBound(to: Value.ID.self).pointee = id
            }
            if value.id == id { return true }
            value = before
        }
        return false
    }
}
