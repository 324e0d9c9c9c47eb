// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Their documentation is Apple's.

// What the package and its sample screen use of SwiftUI, as the SDK of iOS 18 declares it: enough to type-check them on other systems.
// Nothing here is ever run.

public import Foundation
@_exported public import Observation

private func stub() -> Never { fatalError("a declaration to be type-checked against") }

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: View { public typealias Body = Never }

extension View where Body == Never {
    public var body: Never { get { stub() } }
}

@resultBuilder
public struct ViewBuilder {
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > { stub() }
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<Yes: View, No: View>(first: Yes) -> _ConditionalContent<Yes, No> { stub() }
    public static func buildEither<Yes: View, No: View>(second: No) -> _ConditionalContent<Yes, No> { stub() }
}

public struct TupleView<Views>: View { public typealias Body = Never }
public struct _ConditionalContent<Yes: View, No: View>: View { public typealias Body = Never }
extension Optional: View where Wrapped: View { public typealias Body = Never }

public struct Text: View {
    public init(_ content: some StringProtocol) {}
    public typealias Body = Never
}

public struct Button<Label: View>: View {
    public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) where Label == Text {}
    public typealias Body = Never
}

public struct TextField<Label: View>: View {
    public init(_ title: some StringProtocol, text: Binding<String>) where Label == Text {}
    public typealias Body = Never
}

public struct Toggle<Label: View>: View {
    public init(_ title: some StringProtocol, isOn: Binding<Bool>) where Label == Text {}
    public typealias Body = Never
}

public struct List<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) {}
    public typealias Body = Never
}

public struct Section<Content: View>: View {
    public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) {}
    public typealias Body = Never
}

public struct HStack<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) {}
    public typealias Body = Never
}

public struct VStack<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) {}
    public typealias Body = Never
}

public struct Spacer: View {
    public init() {}
    public typealias Body = Never
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
    where Data.Element: Identifiable, ID == Data.Element.ID {}
    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content)
    {}
    public typealias Body = Never
}

public struct ShareLink<Label: View>: View {
    public init(_ title: some StringProtocol, item: URL) where Label == Text {}
    public typealias Body = Never
}

extension View {
    public func disabled(_ isDisabled: Bool) -> some View { self }
    public func navigationTitle(_ title: some StringProtocol) -> some View { self }
    public func badge(_ count: Int) -> some View { self }
    public func task(_ action: @escaping @Sendable @MainActor () async -> Void) -> some View { self }
    public func environment<Value>(_ path: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) -> some View {
        self
    }
    public func environment<Object: AnyObject & Observable>(_ object: Object?) -> some View { self }
}

public struct Transaction: Sendable { public init() {} }

public func withTransaction<Result>(_ transaction: Transaction, _ body: () throws -> Result) rethrows -> Result {
    try body()
}

@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
    @preconcurrency
    public init(
        get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
    ) {}
    @preconcurrency
    public init(
        get: @escaping @isolated(any) @Sendable () -> Value,
        set: @escaping @isolated(any) @Sendable (Value, Transaction) -> Void
    ) {}
    public var wrappedValue: Value {
        get { stub() }
        nonmutating set { stub() }
    }
    public subscript<Part>(dynamicMember path: WritableKeyPath<Value, Part>) -> Binding<Part> { stub() }
}

@propertyWrapper
public struct State<Value> {
    public init(wrappedValue: Value) {}
    public init(initialValue: Value) {}
    public var wrappedValue: Value {
        get { stub() }
        nonmutating set { stub() }
    }
}

public struct EnvironmentValues { public init() {} }

@propertyWrapper
public struct Environment<Value> {
    public init(_ path: KeyPath<EnvironmentValues, Value>) {}
    public init(_ type: Value.Type) where Value: AnyObject, Value: Observable {}
    public var wrappedValue: Value { stub() }
}

@MainActor @preconcurrency
public protocol Scene { associatedtype Body: Scene }
extension Never: Scene {}

public struct WindowGroup<Content: View>: Scene {
    public typealias Body = Never
    public init(@ViewBuilder content: () -> Content) {}
}

@resultBuilder
public struct SceneBuilder { public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content } }

@MainActor @preconcurrency
public protocol App {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
    @MainActor @preconcurrency init()
}

extension App { public static func main() {} }
