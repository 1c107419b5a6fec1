// The state file. It has one sorted line per resource, so that people can compare two versions.

import { basename } from 'node:path'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Problem } from '../diagnostic.js'
import { problem } from '../problems/index.js'
import { shellWord } from '../value/shell-word.js'
import { isObject } from '../value/tree.js'
import { nameOfProject } from './home.js'
import { Row } from './row.js'

/** Version of the format, raised when older programs can no longer read the file. */
const formatVersion = 1

const StateDocument = Type.Object(
  {
    version: Type.Literal(formatVersion),
    /** Name of the project, which ownership marks contain: as the file has it, or the name of the folder at the first apply. */
    project: Type.String(),
    /** Earlier names, which objects may still carry. */
    formerly: Type.Optional(Type.Array(Type.String())),
    /** `FileStatus.id` of the folder at the last write, by which a renamed folder is recognised. */
    folder: Type.Optional(Type.String()),
    /** Name of the project file at the last write, by which a copy of its state beside another file is recognised. */
    file: Type.Optional(Type.String()),
    /** Id of this state, which never changes. */
    lineage: Type.String(),
    /** Number of writes that changed something. */
    serial: Type.Integer({ minimum: 0 }),
    /** Salt of the keys of sensitive leaves. */
    salt: Type.String(),
    /** Fingerprint of the account that the rows of a provider belong to, by provider name. */
    providers: Type.Record(Type.String(), Type.String()),
    /** Rows by address. */
    rows: Type.Record(Type.String(), Row),
  },
  { additionalProperties: false },
)
type StateDocument = Static<typeof StateDocument>
const documentSchema = Compile(StateDocument)

/** Contents of a state, in memory. */
export interface Contents extends Omit<StateDocument, 'version' | 'providers' | 'rows'> {
  readonly providers: ReadonlyMap<string, string>
  readonly rows: ReadonlyMap<string, Row>
}

/** Paths for messages; `backup` only if there is one. */
export interface DocumentPlace {
  readonly path: string
  readonly backup?: string
}

export function parseState(bytes: Uint8Array, place: DocumentPlace): Contents {
  const value = parseJson(bytes, place)
  if (!isObject(value) || typeof value['version'] !== 'number' || value['version'] < 1 || !isOurs(value))
    throw unrecognised(place)
  if (value['version'] > formatVersion) throw newer(value['version'], place)
  if (!documentSchema.Check(value)) {
    const [first] = documentSchema.Errors(value)
    throw damaged(
      place,
      `does not fit its format: ${first?.instancePath || 'the file'} ${first?.message ?? 'is wrong'}`,
    )
  }
  const { version: _, providers, rows, ...rest } = value
  return {
    ...rest,
    project: nameOfProject(rest.project),
    providers: new Map(Object.entries(providers)),
    rows: new Map(Object.entries(rows)),
  }
}

/** True if the value has a member that every format of ours has; other programs use `version` as well. */
function isOurs(value: object): boolean {
  return 'lineage' in value || 'rows' in value
}

export function serialiseState({
  project,
  formerly,
  folder,
  file,
  lineage,
  serial,
  salt,
  providers,
  rows,
}: Contents): string {
  const members = Object.entries({ version: formatVersion, project, formerly, folder, file, lineage, serial, salt })
  const known = members.filter(([, value]) => value !== undefined)
  const lines = known.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)},`)
  return `{\n${lines.join('\n')}\n"providers":${linesOf(providers)},\n"rows":${linesOf(rows)}\n}\n`
}

/** Returns JSON without blanks and with sorted keys, so that equal values are equal text. */
export function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members
    .sort(byKey)
    .map(([key, member]) => `${JSON.stringify(key)}:${sortedJson(member)}`)
    .join(',')}}`
}

function linesOf(map: ReadonlyMap<string, unknown>): string {
  if (map.size === 0) return '{}'
  const lines = [...map].sort(byKey).map(([key, value]) => `${JSON.stringify(key)}:${sortedJson(value)}`)
  return `{\n${lines.join(',\n')}\n}`
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}

function parseJson(bytes: Uint8Array, place: DocumentPlace): unknown {
  if (bytes.length === 0) throw damaged(place, 'is empty')
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes))
    return value
  } catch (error) {
    const isCutOff = bytes.at(-1) !== '\n'.charCodeAt(0)
    throw damaged(place, isCutOff ? 'breaks off before its end' : 'is not valid JSON', error)
  }
}

function damaged({ path, backup }: DocumentPlace, what: string, cause?: unknown): Problem {
  return problem('state.damaged', {
    detail: `${basename(path)} ${what}, so which remote objects belong to this project is unknown. Nothing was changed. The file is ${path}.`,
    fix: backup
      ? `Restore the content before the last run, which is in ${basename(backup)}: cp ${shellWord(backup)} ${shellWord(path)}. What that run did shows up in the next plan.`
      : 'Restore the file from a copy of yours. Without one, move it away; "agents sync --import --owned" then finds the objects by their marks.',
    cause,
  })
}

function newer(version: number, { path }: DocumentPlace): Problem {
  return problem('state.newer', {
    detail: `${basename(path)} has format ${version}, and this program knows formats up to ${formatVersion}. Nothing was changed. The file is ${path}.`,
  })
}

function unrecognised({ path }: DocumentPlace): Problem {
  return problem('state.unrecognised', {
    detail: `${basename(path)} is JSON, but it is not a state of this program, so another program wrote it. Nothing was changed. The file is ${path}.`,
  })
}
