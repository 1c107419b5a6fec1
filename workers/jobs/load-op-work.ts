// Loads the work of change ops and undo steps by type. The file in `workers/ops` follows from the type of the op:
// `pages.setScale` is in `pages-set-scale.ts`.

import type { Change } from '../change/change.js'
import type { UnfinishedItem } from '../change/unfinished-item.js'
import { opContracts } from '../contract/ops/index.js'
import type { ProtectionClass } from '../contract/ops/op-contract.js'
import { loadInTurn } from '../engine/load-in-turn.js'

/** Work of any type: ops were checked against their contracts, and undo steps were created by the same work. */
export interface RunnableWork {
  readonly type: string
  /** Protection class of the op; an undo step has that of the op which it undoes. */
  readonly protection: ProtectionClass
  apply(op: unknown, change: Change): UnfinishedItem
}

type Work = Omit<RunnableWork, 'protection'>

interface OpModule {
  readonly work: Work
  readonly undos?: readonly Work[]
}

const modules = await loadInTurn(opContracts, async ({ type, protection }) => ({ ...(await load(type)), protection }))

export const opWorks = byType(modules.map(({ work, protection }) => ({ ...work, protection })))
export const undoWorks = byType(
  modules.flatMap(({ undos = [], protection }) => undos.map((undo) => ({ ...undo, protection }))),
)

async function load(type: string): Promise<OpModule> {
  return await import(`../ops/${fileOf(type)}.ts`)
}

function fileOf(type: string): string {
  return type.replace('.', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function byType(works: readonly RunnableWork[]): ReadonlyMap<string, RunnableWork> {
  return new Map(works.map((work) => [work.type, work]))
}
