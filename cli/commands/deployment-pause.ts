// `agents deployment pause NAME`: stops scheduled runs until the deployment is resumed.
import { Command } from 'clipanion'
import { DeploymentCommand } from '../shared/deployment-command.js'
import type { ExitCode } from '../terminal/exit-codes.js'

export class DeploymentPauseCommand extends DeploymentCommand {
  static override paths = [['deployment', 'pause']]
  static override usage = Command.Usage({
    category: 'Run',
    description: 'Hold back the scheduled runs of a deployment',
    examples: [['Over the holidays', 'agents deployment pause nightly']],
  })

  override async execute(): Promise<ExitCode> {
    return this.actOn(async (handle) => {
      const deployment = await handle.pause()
      this.output.record({ type: 'paused', address: handle.address, deployment })
      this.output.print(`Paused ${handle.address}.`)
    })
  }
}
