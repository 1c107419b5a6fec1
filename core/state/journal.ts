// The journal: changes since the state file was last written. Defines its format, and how it is folded into state.

// A line is one change, in the shape of the state file: `{"rows":{"<address>":row|null}}`. Lines that were flushed
// together form a batch, which an empty line ends. A crash can damage only the last batch, whose lines no caller relied
// on yet. A line damaged anywhere else means that the disk lost data that it had confirmed.
import { basename } from 'node:path'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Problem } from '../diagnostic.js'
import { problem } from '../problems/index.js'
import { isObject } from '../value/tree.js'
import type { Contents } from './document.js'
import { Row } from './row.js'

const formatVersion = 1

/**
 * Maximum size of a first line in bytes. A file without a line break is an interrupted first line if it is shorter, and
 * damaged if it is longer.
 */
const headerBytesMax = 512

const JournalHeader = Type.Object(
  { journal: Type.Literal(formatVersion), lineage: Type.String(), serial: Type.Integer({ minimum: 0 }) },
  { additionalProperties: false },
)
const headerSchema = Compile(JournalHeader)

const StateChange = Type.Object(
  {
    /** Whole rows by address; null removes the row. */
    rows: Type.Optional(Type.Record(Type.String(), Type.Union([Row, Type.Null()]))),
    /** Fingerprints by provider; null removes one. */
    providers: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]))),
  },
  { additionalProperties: false },
)
export type StateChange = Static<typeof StateChange>
const changeSchema = Compile(StateChange)

export interface Journal {
  readonly lineage: string
  /** Serial number of the state file that the changes start from. */
  readonly serial: number
  readonly changes: readonly StateChange[]
  /** Number of lines at the end that a crash damaged. */
  readonly unreadable: number
}

export function headerText({ lineage, serial }: Pick<Contents, 'lineage' | 'serial'>): string {
  return `${JSON.stringify({ journal: formatVersion, lineage, serial })}\n\n`
}

export function changeLine(change: StateChange): string {
  return `${JSON.stringify(change)}\n`
}

export function batchText(lines: readonly string[]): string {
  return `${lines.join('')}\n`
}

/** Parses a journal; undefined if a crash interrupted it before its first line was complete. */
export function parseJournal(bytes: Uint8Array, path: string): Journal | undefined {
  const lines = new TextDecoder().decode(bytes).split('\n')
  const [first = ''] = lines
  if (lines.length === 1 && bytes.length <= headerBytesMax) return undefined
  const header = parsed(first)
  if (isObject(header) && Number(header['journal']) > formatVersion) throw newerJournal(path)
  if (!headerSchema.Check(header)) throw damagedJournal(path, 1)
  const lastBatch = startOfLastBatch(lines)
  const changes: StateChange[] = []
  let unreadable = 0
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line === '') continue
    const change = parsed(line)
    if (changeSchema.Check(change)) changes.push(change)
    else if (index < lastBatch) throw damagedJournal(path, index + 1)
    else unreadable++
  }
  return { lineage: header.lineage, serial: header.serial, changes, unreadable }
}

/** Returns the contents with the changes of the journal; the same contents if the state file has them already. */
export function fold(contents: Contents, journal: Journal, path: string): Contents {
  if (journal.lineage !== contents.lineage) throw foreignJournal(path)
  // A crash can happen between writing the state file and removing the journal. A state file that is older than its
  // journal was restored from a backup; for the rows in the journal, the journal is still the newest record.
  if (journal.serial < contents.serial) return contents
  return { ...contents, ...applyChanges(contents, journal.changes) }
}

export function applyChanges(
  { providers, rows }: Pick<Contents, 'providers' | 'rows'>,
  changes: readonly StateChange[],
): Pick<Contents, 'providers' | 'rows'> {
  const changed = { providers: new Map(providers), rows: new Map(rows) }
  for (const change of changes) {
    merge(changed.providers, change.providers)
    merge(changed.rows, change.rows)
  }
  return changed
}

export function merge<Value>(into: Map<string, Value>, changes: Readonly<Record<string, Value | null>> = {}): void {
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) into.delete(key)
    else into.set(key, value)
  }
}

function parsed(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line)
    return value
  } catch {
    return undefined // Not JSON, hence not a line of ours; the caller decides whether that is allowed here.
  }
}

/** Returns the index of the first line after the last empty line that is followed by another line. */
function startOfLastBatch(lines: readonly string[]): number {
  let last = lines.length - 1
  while (last > 0 && lines[last] === '') last--
  return lines.lastIndexOf('', last) + 1
}

function damagedJournal(path: string, line: number): Problem {
  return problem('state.journal-damaged', {
    detail: `Line ${line} of ${basename(path)} cannot be read. A crash does not damage this line, so something else changed the file. Nothing was changed. The file is ${path}.`,
    fix: `Restore the file from a copy of yours. Without one, delete line ${line}: the next plan then shows that resource as it was before.`,
  })
}

function newerJournal(path: string): Problem {
  return problem('state.newer', {
    detail: `${basename(path)} was left by an interrupted run of a newer version. Nothing was changed. The file is ${path}.`,
  })
}

function foreignJournal(path: string): Problem {
  return problem('state.journal-foreign', {
    detail: `${basename(path)} was left by an interrupted run on another state than the state file beside it, so one of the two was copied here. Nothing was changed. The file is ${path}.`,
    fix: `Put the state file back that belongs to the journal, or move ${basename(path)} out of the folder if its run does not concern this project.`,
  })
}
