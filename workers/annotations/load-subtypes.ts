// Work of every annotation subtype. The file in `subtypes` has the name of the subtype, or of the one that it is like.
import { subtypeContracts } from '../contract/annotations/annotation.js'
import type { SubtypeContract } from '../contract/annotations/subtype-contract.js'
import type { WritableName } from '../contract/annotations/writable.js'
import { loadInTurn } from '../engine/load-in-turn.js'
import type { ReadAnnotation } from './reading/annotation-source.js'
import { type SubtypeWork, type SubtypeWriting, workLike } from './subtype-work.js'

interface SubtypeModule {
  readonly work: SubtypeWork
}

const loaded = await loadInTurn(subtypeContracts, async (contract) => ({ ...contract, work: await load(contract) }))
const works: ReadonlyMap<string, SubtypeWork> = new Map(loaded.map(({ subtype, work }) => [subtype, work]))
const readers: ReadonlyMap<string | null, ReadAnnotation> = new Map(loaded.map(({ name, work }) => [name, work.read]))

/** Returns the reader of a subtype. `name`: value of `/Subtype`. */
export function readerOf(name: string | undefined): ReadAnnotation {
  const read = readers.get(name ?? null) ?? readers.get(null)
  if (read === undefined) throw new Error('No subtype is defined for unknown names')
  return read
}

/** Returns undefined if annotations of the subtype can only be read. */
export const findWriting = (subtype: string): SubtypeWriting | undefined => works.get(subtype)?.writing

export function writingOf(subtype: WritableName): SubtypeWriting {
  const writing = findWriting(subtype)
  if (writing === undefined) throw new Error(`The work of the subtype ${subtype} has no writing`)
  return writing
}

async function load(contract: SubtypeContract): Promise<SubtypeWork> {
  const { work }: SubtypeModule = await import(`./subtypes/${contract.like ?? contract.subtype}.ts`)
  return contract.like === undefined ? work : workLike(work, contract)
}
