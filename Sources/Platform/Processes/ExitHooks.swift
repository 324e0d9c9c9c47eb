import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What is to be done when the process ends normally: journals get their `end`.
///
/// Hooks run in reverse order of addition, so that what feeds a writer, and was made after it, is drained before the writer
/// ends. A process that is killed or traps runs none.
package enum ExitHooks {
    package struct Token: Sendable, Hashable {
        fileprivate let number: Int
    }

    private struct State {
        var hooks: [(token: Token, action: @Sendable () -> Void)] = []
        var nextNumber = 0
        var isRegistered = false
    }

    private static let state = Mutex(State())

    /// Adds a hook; it holds what it captures, so it should capture weakly.
    package static func add(_ action: @escaping @Sendable () -> Void) -> Token {
        state.withLock { state in
            if !state.isRegistered {
                state.isRegistered = true
                atexit { ExitHooks.runAll() }
            }
            let token = Token(number: state.nextNumber)
            state.nextNumber += 1
            state.hooks.append((token, action))
            return token
        }
    }

    /// Takes a hook back; does nothing where it ran already.
    package static func remove(_ token: Token) {
        // The action is released outside the lock: what it captures may remove a hook of its own when it goes.
        let removed = state.withLock { state -> (@Sendable () -> Void)? in
            guard let index = state.hooks.lastIndex(where: { $0.token == token }) else { return nil }
            return state.hooks.remove(at: index).action
        }
        _ = removed
    }

    private static func runAll() {
        while let action = state.withLock({ $0.hooks.popLast()?.action }) { action() }
    }
}
