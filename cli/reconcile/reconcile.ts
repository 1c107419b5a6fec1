// Steps that apply and destroy share: plan, print, ask, apply.

import { settleUnchanged } from '../../core/engine.js'
import type { Plan } from '../../core/plan/plan.js'
import { announceEmulator, emulatorAddress } from '../project/emulator-address.js'
import { openProject } from '../project/open-project.js'
import { hasEffects } from '../render/effects.js'
import type { PlanRequest, ScopedCommand } from '../shared/scope-options.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'
import { interruptible } from '../terminal/interruption.js'
import { applyAndShow } from './applying.js'
import { foundBlockers } from './blockers.js'
import { askConsent, requireConsent } from './consent.js'
import { planAndShow } from './planning.js'

export interface Reconciliation {
  readonly request: PlanRequest
  /** True with `--yes`: consent is given. */
  readonly isAgreed: boolean
  /** Throws if the plan differs from the one that was agreed to. */
  readonly review?: (plan: Plan) => void
  /**
   * True with `--cascade`: sessions and other objects that block a removal are ended, after they were named and
   * counted.
   */
  readonly cascade?: boolean
  /** How to agree where nobody can be asked, if the plan is shown before consent is required. */
  readonly consentFix?: string
}

export async function reconcile(command: ScopedCommand, options: Reconciliation): Promise<ExitCode> {
  const { output, context } = command
  return interruptible(async (interruption) => {
    interruption.reportBy(() => output.note('Interrupted. Nothing was changed.'))
    const emulatorUrl = emulatorAddress(context.env)
    announceEmulator(output, emulatorUrl)
    const { engine, source } = await openProject(command, emulatorUrl)
    const plan = await planAndShow(output, source, { ...engine, ...options.request, signal: interruption.gentle })
    options.review?.(plan)
    const name = `agents ${command.path.join(' ')}`
    if (plan.changes.every(({ action }) => action === 'none')) {
      await settleUnchanged(plan, engine, name)
      return exitCode.done
    }
    const blockers = options.cascade
      ? await foundBlockers(output, plan, { ...engine, signal: interruption.gentle })
      : []
    if (hasEffects(plan)) requireConsent(command, options.isAgreed, options.consentFix)
    const consent = options.isAgreed || !hasEffects(plan) ? 'yes' : await askConsent(command, plan, blockers)
    if (consent !== 'yes') {
      output.note('Nothing was changed.')
      return consent === 'gone' ? exitCode.interrupted : exitCode.failed
    }
    return applyAndShow({ output, context, interruption }, plan, {
      ...engine,
      ...(options.request.parallelism === undefined ? {} : { parallelism: options.request.parallelism }),
      command: name,
      cascade: options.cascade === true,
    })
  })
}
