/// The names of stores that were given none.
enum StoreNaming {
    /// The type's name, beginning in lower case, without `State` at its end: `cart` of `CartState`.
    static func name<State>(of type: State.Type) -> String {
        var name = String(describing: type)
        if let generic = name.firstIndex(of: "<") { name = String(name[..<generic]) }
        if name.hasSuffix("State"), name.utf8.count > 5 { name.removeLast(5) }
        let initials = name.prefix { $0.isUppercase }
        // `URLCache` becomes `urlCache`, `Cart` `cart`.
        let lowered = initials.count > 1 && initials.count < name.count ? initials.dropLast() : initials
        return lowered.lowercased() + name.dropFirst(lowered.count)
    }
}
