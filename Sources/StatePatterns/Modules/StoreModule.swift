public import StoreCore

/// The mutations and actions of one store, or of a part of one, as plain functions: no type for an action is needed.
///
///     struct CartModule: StoreModule {
///         typealias State = Cart
///         func add(_ context: Context, _ item: String) { context.commit { $0.items.append(item) } }
///         func buy(_ context: Context) async throws { … }
///     }
///     let cart = store.module(CartModule(), at: \.cart)
///     try await cart.dispatch { try await $0.buy($1) }
///
/// Its properties are what the functions need besides the state: a client, a clock.
public protocol StoreModule: Sendable {
    /// The state that the functions change.
    associatedtype State: Sendable
    /// What the functions are given.
    typealias Context = ModuleContext<State>
}

/// A module and the store that it works on.
public struct ModuleDispatcher<Module: StoreModule>: Sendable {
    private let module: Module
    private let home: any PartHome<Module.State>

    init(_ module: Module, home: any PartHome<Module.State>) {
        self.module = module
        self.home = home
    }

    /// A copy of the module's state.
    public var state: Module.State { home.value }

    /// Runs a mutation or action of the module.
    ///
    /// - Returns: what it returned.
    /// - Throws: what it throws.
    @discardableResult
    public func dispatch<Result, Failure: Error>(
        _ action: (_ module: Module, _ context: Module.Context) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try action(module, ModuleContext(home: home))
    }

    /// Runs an async action of the module.
    ///
    /// - Returns: what it returned.
    /// - Throws: what it throws.
    @discardableResult
    public func dispatch<Result: Sendable, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation,
        _ action: (_ module: Module, _ context: Module.Context) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await action(module, ModuleContext(home: home))
    }
}

extension Store {
    /// A module that works on this store.
    public func module<Module: StoreModule>(_ module: Module) -> ModuleDispatcher<Module> where Module.State == State {
        self.module(module, at: \.self)
    }

    /// A module that works on a part of this store.
    ///
    /// - Parameter path: where the module's state is.
    public func module<Module: StoreModule>(
        _ module: Module, at path: any WritableKeyPath<State, Module.State> & Sendable
    ) -> ModuleDispatcher<Module> {
        ModuleDispatcher(module, home: StorePart(self, path))
    }

    /// A context of this store, for one run of functions that are in no module.
    public var context: ModuleContext<State> { ModuleContext(home: StorePart(self, \.self)) }
}
