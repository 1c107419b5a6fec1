// `agents deployment resume NAME`: starts scheduled runs again.
import { Command } from 'clipanion'
import { DeploymentCommand } from '../shared/deployment-command.js'
import type { ExitCode } from '../terminal/exit-codes.js'

export class DeploymentResumeCommand extends DeploymentCommand {
  static override paths = [['deployment', 'resume']]
  static override usage = Command.Usage({
    category: 'Run',
    description: 'Let a paused deployment run by its schedule again',
    examples: [['After the holidays', 'agents deployment resume nightly']],
  })

  override async execute(): Promise<ExitCode> {
    return this.actOn(async (handle) => {
      const deployment = await handle.resume()
      this.output.record({ type: 'resumed', address: handle.address, deployment })
      this.output.print(`Resumed ${handle.address}.`)
    })
  }
}
