// `agents plan`: what an apply would do. Writes nothing, but the plan file it is asked for.
import { Command, Option } from 'clipanion'
import { type ExitCode, exitCode } from '../exit-codes.js'
import { hasEffects, renderPlan } from '../render/plan.js'
import { planRecords } from '../render/plan-records.js'
import { ScopedCommand } from '../scope-options.js'

export class PlanCommand extends ScopedCommand {
  static override paths = [['plan']]
  static override usage = Command.Usage({
    category: 'Reconcile',
    description: 'Show what apply would do, value by value',
    details:
      'Compares agents.yaml, agents.state.json and what the providers hold. Nothing is changed anywhere.\n' +
      'A saved plan holds digests, no values; agents apply FILE carries out exactly it, or refuses.',
    examples: [
      ['Everything in the default target', 'agents plan'],
      ['All declared providers', 'agents plan --provider all'],
      ['Save it, so that exactly this is applied', 'agents plan --out plan.json && agents apply plan.json'],
      ['In a script: 0 nothing to do, 2 changes', 'agents plan --detailed-exitcode'],
    ],
  })

  out = Option.String('--out', { description: 'Save the plan there, for "agents apply PATH".' })

  detailedExitcode = Option.Boolean('--detailed-exitcode', false, { description: 'End with 2 when there are changes.' })

  refreshOnly = Option.Boolean('--refresh-only', false, {
    description: 'Only look at what changed outside agents.yaml.',
  })

  recreate = Option.Array('--recreate', {
    description: 'Go on although every object on this provider is gone or of another account; repeatable.',
  })

  override async execute(): Promise<ExitCode> {
    const { openProject } = await import('../open-project.js')
    const { planAndShow } = await import('../planning.js')
    const opened = await openProject(this)
    const plan = await planAndShow(this.output, {
      ...opened.engine,
      mode: this.refreshOnly ? 'refresh' : 'apply',
      scope: this.scope,
      ...(this.recreate === undefined ? {} : { recreate: this.recreate }),
      ...(this.parallelism === undefined ? {} : { parallelism: this.parallelism }),
    })
    if (this.out !== undefined) await this.save(plan, this.out)
    return this.detailedExitcode && hasEffects(plan) ? exitCode.changes : exitCode.done
  }
}
