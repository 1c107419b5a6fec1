// Tells a worker whose the annotations of a layer are, for ops that find annotations by themselves.
import type { Standings } from '../../workers/change/standing.js'
import { findOpContract, type Op } from '../../workers/contract/ops/index.js'
import { everyAuthorship } from '../layers/stored-authorship.js'
import { mayUpdate, nobody, type OwnerLookup } from './authority.js'
import type { ChangeState } from './state.js'

/** Returns undefined for ops that name every annotation that they change. */
export async function standingsOf(
  { context, owner: layer }: ChangeState,
  ops: readonly Op[],
  lookup: OwnerLookup,
): Promise<Standings | undefined> {
  if (!ops.some(({ type }) => findOpContract(type)?.authored?.updatedAnnotations)) return undefined
  const { caller } = lookup
  const self = caller.kind === 'document' ? caller.person.userId : undefined
  const owned: Standings['owned'][number][] = []
  for await (const { number, row } of everyAuthorship(context.deployment.tables, layer)) {
    if (row.userId === null && row.groupId === null) continue
    const whose = row.userId === null ? 'nobody' : row.userId === self ? 'own' : 'other'
    owned.push({ number, whose, mayUpdate: mayUpdate(row, lookup) })
  }
  return { owned, unowned: { whose: 'nobody', mayUpdate: mayUpdate(nobody, lookup) } }
}
