// Changes the folder that a declaration names to the content that providers have, as `adjust` changes its fields.

import type { Diagnostic } from '../diagnostic.js'
import type { Declaration, Project } from '../plugin/declaration.js'
import type { Disk } from '../ports/disk.js'
import { diagnostic } from '../problems/index.js'
import type { Adjustment } from './adjust.js'
import { addressOf } from './discover.js'
import type { ObjectBody } from './propose.js'
import { type FolderContent, refilled, type SourceFolder } from './source-folders.js'

export interface ContentResult {
  readonly adjustments: readonly Adjustment[]
  readonly folders: readonly SourceFolder[]
  /** Objects with whose content the folder is written. */
  readonly adopted: readonly ObjectBody[]
  readonly notes: readonly Diagnostic[]
}

interface Holder {
  readonly proposal: ObjectBody
  readonly content: FolderContent
}

const nothing: ContentResult = { adjustments: [], folders: [], adopted: [], notes: [] }

/** Computes the changes of the folder. `written`: the declaration as each of its providers proposes it. */
export async function refill(
  {
    project,
    disk,
    providers,
  }: { readonly project: Project; readonly disk: Disk; readonly providers: readonly string[] },
  written: readonly ObjectBody[],
): Promise<ContentResult> {
  const [first] = written
  const declaration = first && project.find(first.object.kind, first.name)
  const source = declaration && [...declaration.sources.values()].find(({ kind }) => kind === 'folder')
  const holders = written.flatMap((one): readonly Holder[] => {
    const { content } = one.object
    return content?.type === 'content' ? [{ proposal: one, content }] : []
  })
  if (!source || holders.length === 0) return nothing
  const { kind, name } = declaration
  // A provider whose content cannot be read counts as having the folder's content.
  const unread = providers.filter(
    (provider) =>
      declaration.providers.names.includes(provider) &&
      !holders.some((one) => one.proposal.object.provider === provider),
  )
  const wanted = mostContained(holders, source.sha256, unread.length)
  const isWritable = wanted === source.sha256 || !isShared(project, declaration, source.path)
  const expected = isWritable ? wanted : source.sha256
  const winners = holders.filter(({ content }) => content.sha256 === expected)
  const others = holders.filter(({ content }) => content.sha256 !== expected)
  const notes = others.map((one) => stillDifferent(declaration, source.written, one))
  const [winner] = winners
  if (expected === source.sha256 || !winner) return { ...nothing, notes }
  return {
    adjustments: [{ kind, name, path: ['source'], value: undefined, folder: source.written }],
    folders: [await refilled(disk, source, winner.content)],
    adopted: winners.map((one) => one.proposal),
    notes,
  }
}

/** Returns the content that most providers have; on a tie, that of the folder. */
function mostContained(holders: readonly Holder[], local: string, unread: number): string {
  const votes = new Map([[local, unread]])
  for (const { content } of holders) votes.set(content.sha256, (votes.get(content.sha256) ?? 0) + 1)
  const most = Math.max(...votes.values())
  return [...votes].find(([, count]) => count === most)?.[0] ?? local
}

function isShared(project: Project, { kind, name }: Declaration, path: string): boolean {
  return project.declarations.some(
    (other) =>
      (other.kind !== kind || other.name !== name) &&
      [...other.sources.values()].some((source) => source.path === path),
  )
}

function stillDifferent({ name }: Declaration, written: string, { proposal }: Holder): Diagnostic {
  const address = addressOf(proposal.object, name)
  return diagnostic('sync.still-different', {
    address,
    detail: `The content of ${address} differs from ${written}, which other declarations share or more providers have.`,
  })
}
