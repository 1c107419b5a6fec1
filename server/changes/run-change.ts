// Runs a change in a worker. Nothing is stored yet.
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Stamp } from '../../workers/change/unfinished-item.js'
import type { ChangeOutput } from '../../workers/jobs/change.js'
import { protectionOf } from '../documents/protection.js'
import { keyOfLayer, viewOf, withSource } from '../documents/view.js'
import { permissionBitsIn } from '../operation/authority.js'
import { tryAppearances } from './appearance-trials.js'
import { keepsAuthors } from './attribution-override.js'
import { refuseWithout, rightsToUpdated } from './authority.js'
import { inlineAnnotationsOf } from './inline-annotations.js'
import type { NextLayer } from './layer-row.js'
import { ownersOf, type Plan } from './plan.js'
import { appearancesOf } from './resource-keys.js'
import type { ChangeState } from './state.js'
import { refuseTouched } from './touched-annotations.js'

export interface RunInput {
  readonly plan: Plan
  /** Milliseconds since 1970. */
  readonly now: number
  /** State of the layer once the change is committed. */
  readonly next: NextLayer
}

/** Runs the change. Throws its refusal or a `PoolFailure`, after removing the temporary file. */
export async function runChange(state: ChangeState, { plan, now, next }: RunInput): Promise<ChangeOutput> {
  const { context, document } = state
  const { workers, blobs } = context.deployment
  const { work, ops, resources, rights } = plan
  await tryAppearances(appearancesOf(ops, resources), context)
  const rewrittenPath = join(blobs.staging, `rewritten-${randomUUID()}.pdf`)
  const inline = await inlineAnnotationsOf(state)
  const stamp = stampOf(state, now)
  const { nextObject } = document
  const [view, protection] = [await viewOf(context), await protectionOf(context)]
  const keyAfter = keyOfLayer(next, view)
  try {
    const changed = await withSource(view, context, (source) =>
      workers.run('change', {
        source,
        work,
        keyAfter,
        nextObject,
        documentId: context.document.internal,
        stamp,
        inline,
        resources,
        protection,
        rewrittenPath,
      }),
    )
    const { caller } = context
    const lookup = { caller, permissionBits: permissionBitsIn(context), ownerOf: ownersOf(state) }
    const updating = rightsToUpdated(changed.items, [...state.promoted, ...changed.promoted])
    await refuseWithout(updating, lookup)
    await refuseTouched(changed.touchedAnnotations, [...rights, ...updating], lookup)
    return changed
  } catch (error) {
    // A killed thread cannot remove its file.
    await rm(rewrittenPath, { force: true })
    throw error
  }
}

function stampOf({ context }: ChangeState, now: number): Stamp {
  const { caller } = context
  const author = caller.kind === 'document' ? (caller.person.displayName ?? null) : null
  return { now, author, keepsAuthors: keepsAuthors(context) }
}
