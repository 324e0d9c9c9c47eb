// What an app imports. The parts are modules of their own, so that the build holds each to what it may know: the patterns to
// the public calls of the store, the tables and the encoding to nothing of it. Swift has no word for handing a module's names
// on but this underscored one, which swift-collections uses for the same. `SourceLocation` is not handed on: Swift Testing has
// one, too, which a test that imports both means.

@_exported public import struct Diagnostics.Diagnostic
@_exported public import protocol Diagnostics.DiagnosticConvertible
@_exported public import EntityTables
@_exported public import struct JournalFormat.CommitNumber
@_exported public import struct JournalFormat.JournalWriteError
@_exported public import class JournalFormat.JournalWriter
@_exported public import enum JournalFormat.MarkLevel
@_exported public import struct JournalFormat.Timestamp
@_exported public import protocol StateEncoding.OpaqueToDump
@_exported public import protocol StateEncoding.RecordedList
@_exported public import protocol StateEncoding.RecordedTable
@_exported public import enum StateEncoding.RecordedTableChange
@_exported public import StatePatterns
@_exported public import StoreCore
