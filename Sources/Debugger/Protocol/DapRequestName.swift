/// A request that is offered.
enum DapRequestName: String, CaseIterable {
    case initialize, launch, attach, configurationDone, disconnect, terminate, cancel, pause
    case threads, stackTrace, scopes, variables, locations, evaluate, completions, source, loadedSources
    case setBreakpoints, setFunctionBreakpoints, setDataBreakpoints, setExceptionBreakpoints
    case dataBreakpointInfo, breakpointLocations, gotoTargets, `goto`, restartFrame
    case next, stepBack, stepIn, stepOut, `continue`, reverseContinue

    /// Whether it asks about a run.
    var needsRun: Bool {
        switch self {
        case .initialize, .launch, .attach, .disconnect, .terminate, .cancel: false
        default: true
        }
    }

    /// Whether it moves.
    var moves: Bool {
        switch self {
        case .goto, .restartFrame, .next, .stepBack, .stepIn, .stepOut, .continue, .reverseContinue: true
        default: false
        }
    }

    /// Whether it has no answer while something takes long: it asks where the session stands, moves it, or takes long itself.
    var needsStop: Bool {
        switch self {
        case .initialize, .launch, .attach, .configurationDone, .stackTrace, .scopes, .variables, .locations, .evaluate,
            .completions, .loadedSources, .breakpointLocations, .gotoTargets:
            true
        default: moves
        }
    }
}
