// Work of every annotation subtype. The file in `subtypes` has the name of the subtype.
import { subtypeContracts } from '../contract/annotations/annotation.js'
import type { WritableName } from '../contract/annotations/writable.js'
import type { ReadAnnotation } from './reading/annotation-source.js'
import type { SubtypeWork, SubtypeWriting } from './subtype-work.js'

interface SubtypeModule {
  readonly work: SubtypeWork
}

const loaded = await Promise.all(
  subtypeContracts.map(async ({ subtype, name }) => ({ subtype, name, work: await load(subtype) })),
)
const works: ReadonlyMap<string, SubtypeWork> = new Map(loaded.map(({ subtype, work }) => [subtype, work]))
const readers: ReadonlyMap<string | null, ReadAnnotation> = new Map(loaded.map(({ name, work }) => [name, work.read]))

/** `name`: value of `/Subtype`. */
export function readerOf(name: string | undefined): ReadAnnotation {
  const read = readers.get(name ?? null) ?? readers.get(null)
  if (read === undefined) throw new Error('No subtype stands for unknown names')
  return read
}

/** Undefined = annotations of the subtype can only be read. */
export const findWriting = (subtype: string): SubtypeWriting | undefined => works.get(subtype)?.writing

export function writingOf(subtype: WritableName): SubtypeWriting {
  const writing = findWriting(subtype)
  if (writing === undefined) throw new Error(`The work of the subtype ${subtype} writes nothing`)
  return writing
}

async function load(subtype: string): Promise<SubtypeWork> {
  const { work }: SubtypeModule = await import(`./subtypes/${subtype}.ts`)
  return work
}
