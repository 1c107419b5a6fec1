// `agents plan show PATH`: shows a saved plan. It reads nothing but the file, so that a reviewer needs no keys.
import { Command, Option } from 'clipanion'
import { EngineCommand } from '../project/engine-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class PlanShowCommand extends EngineCommand {
  static override paths = [['plan', 'show']]
  static override usage = Command.Usage({
    category: 'Reconcile',
    description: 'Show what a saved plan would do',
    details:
      'Every change and its values, as "agents plan" showed them: secrets and the values of variables are not in the\n' +
      'file. Neither agents.yaml nor a provider is asked.',
    examples: [
      ['Before it is applied', 'agents plan show plan.json'],
      ['What it would remove', 'agents plan show plan.json --json | jq \'select(.action == "remove")\''],
    ],
  })

  planPath = Option.String({ name: 'PLAN' })

  override async execute(): Promise<ExitCode> {
    const { readPlanFile } = await import('../reconcile/saved-plan.js')
    const { renderSavedPlan, savedPlanRecords } = await import('../render/saved-plan.js')
    const saved = await readPlanFile(this, this.planPath)
    for (const record of savedPlanRecords(saved)) this.output.record(record)
    this.output.print(renderSavedPlan(saved, this.planPath, this.output.style))
    return exitCode.done
  }
}
