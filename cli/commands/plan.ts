// `agents plan`: shows what an apply would do. It writes nothing but the plan file named by `--out`.
import { Command, Option } from 'clipanion'
import { UsageProblem } from '../line/usage.js'
import { announceEmulator, emulatorAddress } from '../project/emulator-address.js'
import { hasEffects } from '../render/effects.js'
import { type PlanRequest, ReconcileCommand } from '../shared/scope-options.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'
import { interruptible } from '../terminal/interruption.js'

export class PlanCommand extends ReconcileCommand {
  static override paths = [['plan']]
  static override usage = Command.Usage({
    category: 'Reconcile',
    description: 'Show what apply would do, value by value',
    details:
      'Compares agents.yaml, agents.state.json and what the providers hold. Nothing is changed anywhere.\n' +
      'A saved plan contains what is shown here, secrets masked; "agents apply PATH" carries out exactly that plan, or refuses.',
    examples: [
      ['Everything in the default target', 'agents plan'],
      ['All declared providers', 'agents plan --provider all'],
      ['Save it, so that exactly this is applied', 'agents plan --out plan.json && agents apply plan.json'],
      ['Everything that destroy would remove', 'agents plan --destroy'],
      ['In a script: 0 is nothing to do, 2 is changes', 'agents plan --detailed-exitcode'],
    ],
  })

  out = Option.String('--out', { description: 'Save the plan there, for "agents apply PATH".' })

  destroys = Option.Boolean('--destroy', false, { description: 'What "agents destroy" would do.' })

  detailedExitcode = Option.Boolean('--detailed-exitcode', false, { description: 'End with 2 when there are changes.' })

  private destruction(): PlanRequest {
    const given = { '--refresh-only': this.refreshOnly || undefined, '--recreate': this.recreate }
    const [first] = Object.entries(given).filter(([, value]) => value !== undefined)
    if (first === undefined) return this.requestOf('destroy')
    throw new UsageProblem('cli.bad-value', { detail: `--destroy cannot be combined with ${first[0]}.` })
  }

  override async execute(): Promise<ExitCode> {
    const request = this.destroys ? this.destruction() : this.request
    return interruptible(async ({ gentle, reportBy: tellBy }) => {
      tellBy(() => this.output.note('Interrupted. A plan changes nothing.'))
      const emulatorUrl = emulatorAddress(this.context.env)
      announceEmulator(this.output, emulatorUrl)
      const { openProject } = await import('../project/open-project.js')
      const { planAndShow } = await import('../reconcile/planning.js')
      const { engine, source } = await openProject(this, emulatorUrl)
      if (this.out !== undefined) await (await import('../reconcile/saved-plan.js')).refuseToSaveOver(this, this.out)
      const plan = await planAndShow(this.output, source, { ...engine, ...request, signal: gentle })
      if (this.out !== undefined) {
        const { savePlan } = await import('../reconcile/saved-plan.js')
        await savePlan(this, plan, { path: this.out, recreate: this.recreate })
      }
      return this.detailedExitcode && hasEffects(plan) ? exitCode.changes : exitCode.done
    })
  }
}
