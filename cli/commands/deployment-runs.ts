// `agents deployment runs NAME`: lists the runs of a deployment.
import { Command } from 'clipanion'
import type { JsonObject } from '../../core/value/tree.js'
import { renderRemotes } from '../render/remote.js'
import { counted } from '../render/text.js'
import { DeploymentCommand } from '../shared/deployment-command.js'
import type { ExitCode } from '../terminal/exit-codes.js'

export class DeploymentRunsCommand extends DeploymentCommand {
  static override paths = [['deployment', 'runs']]
  static override usage = Command.Usage({
    category: 'Run',
    description: 'List the runs of a deployment',
    examples: [['Did it run?', 'agents deployment runs nightly']],
  })

  override async execute(): Promise<ExitCode> {
    return this.actOn(async (deployment) => {
      const runs: JsonObject[] = []
      for await (const run of deployment.runs()) {
        this.output.record({ type: 'run', address: deployment.address, run })
        runs.push(run)
      }
      this.output.record({ type: 'summary', runs: runs.length })
      if (runs.length > 0) this.output.print(`${renderRemotes(runs)}\n`)
      this.output.print(runs.length === 0 ? 'It has not run yet.' : `${counted(runs.length, 'run')}.`)
    })
  }
}
