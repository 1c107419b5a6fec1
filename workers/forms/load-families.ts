// Work of every form family. The file in `families` has the name of the family.
import { type FieldFamily, fieldContracts } from '../contract/field-family.js'
import { loadInTurn } from '../engine/load-in-turn.js'
import type { FamilyWork } from './family-work.js'

interface FamilyModule {
  readonly work: FamilyWork
}

const works: ReadonlyMap<FieldFamily, FamilyWork> = new Map(
  await loadInTurn(fieldContracts, async ({ family }) => [family, await load(family)] as const),
)

export function familyOf(family: FieldFamily): FamilyWork {
  const work = works.get(family)
  if (work === undefined) throw new Error(`There is no work of the family ${family}`)
  return work
}

async function load(family: string): Promise<FamilyWork> {
  const { work }: FamilyModule = await import(`./families/${family}.ts`)
  return work
}
