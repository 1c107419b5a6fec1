// `agents apply [PLAN]`: makes the providers match agents.yaml, after consent.
import { Command, Option } from 'clipanion'
import { UsageProblem } from '../line/usage.js'
import { requireConsent } from '../reconcile/consent.js'
import { ReconcileCommand } from '../shared/scope-options.js'
import type { ExitCode } from '../terminal/exit-codes.js'

export class ApplyCommand extends ReconcileCommand {
  static override paths = [['apply']]
  static override usage = Command.Usage({
    category: 'Reconcile',
    description: 'Make the providers match agents.yaml',
    details:
      'Plans, shows the plan, asks, and carries it out. What is done is recorded at once, so a run that was interrupted\n' +
      'or killed is simply run again. A saved plan is its own consent and carries its scope; it is refused when\n' +
      'anything it was made from has changed since.',
    examples: [
      ['Plan, ask, apply', 'agents apply'],
      ['Without a terminal', 'agents apply --yes --provider all'],
      ['Exactly what was reviewed', 'agents apply plan.json'],
      ['Leave one thing alone for now', 'agents apply --exclude qoder.agent.helper'],
    ],
  })

  plan = Option.String({ name: 'PLAN', required: false })

  yes = Option.Boolean('-y,--yes', false, { description: 'Do not ask.' })

  override async execute(): Promise<ExitCode> {
    requireConsent(this, this.yes || this.plan !== undefined)
    const { reconcile } = await import('../reconcile/reconcile.js')
    if (this.plan === undefined) return reconcile(this, { request: this.request, isAgreed: this.yes })
    this.refuseSecondScope()
    const { openSavedPlan } = await import('../reconcile/saved-plan.js')
    return reconcile(this, { ...(await openSavedPlan(this, this.plan)), isAgreed: true })
  }

  private refuseSecondScope(): void {
    const given = {
      '--provider': this.provider,
      '--target': this.target,
      '--exclude': this.exclude,
      '--recreate': this.recreate,
      '--refresh-only': this.refreshOnly || undefined,
    }
    const [first] = Object.entries(given).filter(([, value]) => value !== undefined)
    if (!first) return
    throw new UsageProblem('cli.plan-has-scope', {
      detail: `${first[0]} cannot be added to a plan that was made without it.`,
      fix: `Make the plan with ${first[0]}, or apply without a plan file.`,
    })
  }
}
