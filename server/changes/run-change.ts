// Runs a change in a worker. Nothing is stored yet.
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Standings } from '../../workers/change/standing.js'
import type { Stamp } from '../../workers/change/unfinished-item.js'
import type { ChangeOutput } from '../../workers/jobs/change.js'
import { protectionOf } from '../documents/protection.js'
import { keyOfLayer, viewOf } from '../documents/view.js'
import { permissionBitsIn } from '../operation/authority.js'
import type { PromotedAnnotations } from '../rows/version.js'
import { tryAppearances } from './appearance-trials.js'
import { keepsAuthors } from './attribution-override.js'
import { refuseWithout, rightsToUpdated } from './authority.js'
import { withGuardedSource } from './guarded-source.js'
import { inlineAnnotationsOf } from './inline-annotations.js'
import { type NextLayer, nextLayerOf } from './layer-row.js'
import { ownersOf } from './owners.js'
import type { Plan } from './plan.js'
import { mayMark, refuseMarks } from './redaction-marks.js'
import { appearancesOf } from './resource-keys.js'
import { standingsOf } from './standings.js'
import type { ChangeState } from './state.js'
import { numbersLeftIn } from './taken-numbers.js'
import { refuseTouched } from './touched-annotations.js'

export interface RunInput {
  readonly plan: Plan
  /** Milliseconds since 1970. */
  readonly now: number
}

export interface RanChange {
  readonly changed: ChangeOutput
  /** State of the layer once the change is committed. */
  readonly next: NextLayer
}

/** Runs the change. Throws its refusal or a `PoolFailure`, after removing the temporary file. */
export async function runChange(state: ChangeState, input: RunInput): Promise<RanChange> {
  const { context } = state
  const { ops, resources, rights, undoesAnother } = input.plan
  await tryAppearances(appearancesOf(ops, resources), context)
  const lookup = { caller: context.caller, permissionBits: permissionBitsIn(context), ownerOf: ownersOf(state) }
  const rewrittenPath = join(context.deployment.blobs.staging, `rewritten-${randomUUID()}.pdf`)
  try {
    const ran = await runJob(state, { ...input, rewrittenPath, standings: await standingsOf(state, ops, lookup) })
    refuseMarks(ran.changed.items, lookup)
    const updating = rightsToUpdated(ran.changed.items, promotedIn(state, ran))
    await refuseWithout(updating, lookup)
    // Whose comment was removed by another brings back what was removed along with it, answers of others included.
    const touched = ran.changed.touchedAnnotations.filter(({ effect }) => !(undoesAnother && effect === 'restored'))
    await refuseTouched(touched, [...rights, ...updating], lookup)
    return ran
  } catch (error) {
    // A killed thread cannot remove its file.
    await rm(rewrittenPath, { force: true })
    throw error
  }
}

const promotedIn = ({ promoted }: ChangeState, { changed }: RanChange): PromotedAnnotations => [
  ...promoted,
  ...changed.promoted,
]

interface JobInput extends RunInput {
  readonly rewrittenPath: string
  readonly standings: Standings | undefined
}

async function runJob(
  state: ChangeState,
  { plan: { work, resources }, now, rewrittenPath, standings }: JobInput,
): Promise<RanChange> {
  const { context, document } = state
  const inline = await inlineAnnotationsOf(state)
  const [view, protection] = [await viewOf(context), await protectionOf(context)]
  // Threads keep their copy under it, so that no two runs have the same.
  const next = nextLayerOf(state)
  const changed = await withGuardedSource(view, context, protection, (source, referencesPath) =>
    context.deployment.workers.run('change', {
      source,
      referencesPath,
      work,
      keyAfter: keyOfLayer(next, view),
      nextObject: document.nextObject,
      numbersMax: numbersLeftIn(state.layer),
      documentId: context.document.internal,
      stamp: stampOf(state, now),
      inline,
      resources,
      protection,
      standings,
      rewrittenPath,
    }),
  )
  return { changed, next }
}

function stampOf({ context }: ChangeState, now: number): Stamp {
  const { caller } = context
  const author = caller.kind === 'document' ? (caller.person.displayName ?? null) : null
  const isMarking = mayMark({ caller, permissionBits: permissionBitsIn(context) })
  return { now, author, keepsAuthors: keepsAuthors(context), isMarking }
}
