// Loads the work of change ops and undo steps by type. The file in `workers/ops` follows from the type of the op:
// `pages.setScale` is in `pages-set-scale.ts`.

import type { Change } from '../change/change.js'
import type { UnfinishedItem } from '../change/unfinished-item.js'
import { opContracts } from '../contract/ops/index.js'

/** Work of any type: ops were checked against their contracts, and undo steps were created by the same work. */
export interface RunnableWork {
  readonly type: string
  apply(op: unknown, change: Change): UnfinishedItem
}

interface OpModule {
  readonly work: RunnableWork
  readonly undos?: readonly RunnableWork[]
}

const modules = await Promise.all(opContracts.map(({ type }) => load(type)))

export const opWorks = byType(modules.map(({ work }) => work))
export const undoWorks = byType(modules.flatMap(({ undos = [] }) => undos))

async function load(type: string): Promise<OpModule> {
  return await import(`../ops/${fileOf(type)}.ts`)
}

function fileOf(type: string): string {
  return type.replace('.', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function byType(works: readonly RunnableWork[]): ReadonlyMap<string, RunnableWork> {
  return new Map(works.map((work) => [work.type, work]))
}
