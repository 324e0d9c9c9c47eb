// What an app imports. The parts are modules of their own, so that the build enforces what each may use: the patterns only
// the store's public and package calls, the tables and the encoding nothing of it. Swift re-exports a module's names only by
// this underscored attribute, which swift-collections uses for that, too. `SourceLocation` is not re-exported: a test that
// imports Swift Testing means the one there.

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
