// Reads plan files, which `plan --out` writes and `apply PLAN` carries out, unless anything has changed since.

import { resolve } from 'node:path'
import type { Plan } from '../../core/plan/plan.js'
import {
  readSavedPlan,
  refuseOtherPlan,
  refuseToOverwrite,
  type SavedPlan,
  savedPlan,
  writeSavedPlan,
} from '../../core/plan/plan-file.js'
import { nodeDisk } from '../../core/ports/node-disk.js'
import { systemRandom } from '../../core/ports/random.js'
import { shellWord } from '../../core/value/shell-word.js'
import type { EngineCommand } from '../project/engine-command.js'
import type { Reconciliation } from './reconcile.js'

/** Checks, before planning, that the output file may be written. */
export function refuseToSaveOver({ context }: EngineCommand, path: string): Promise<void> {
  return refuseToOverwrite(nodeDisk, resolve(context.workingFolder, path))
}

export async function savePlan(
  { context, output }: EngineCommand,
  plan: Plan,
  { path, recreate }: { readonly path: string; readonly recreate: readonly string[] | undefined },
): Promise<void> {
  await writeSavedPlan(
    { disk: nodeDisk, random: systemRandom },
    resolve(context.workingFolder, path),
    savedPlan(plan, { recreate, mask: (text) => output.masked(text) }),
  )
  output.record({ type: 'saved', path })
  output.note(`Saved the plan. To carry out exactly this: agents apply ${shellWord(path)}`)
}

export function readPlanFile({ context }: EngineCommand, path: string): Promise<SavedPlan> {
  return readSavedPlan(nodeDisk, resolve(context.workingFolder, path))
}

/** Returns options for planning again, and the check that the new plan equals the saved one. */
export async function openSavedPlan(
  command: EngineCommand,
  path: string,
): Promise<Pick<Reconciliation, 'request' | 'review'>> {
  const saved = await readPlanFile(command, path)
  const { mode, scope, recreate, lineage, salt } = saved
  return {
    request: { mode, scope, recreate, initial: { lineage, salt } },
    review: (plan) => refuseOtherPlan(saved, plan),
  }
}
