// `agents deployment run NAME`: starts one run now, whatever its schedule says.
import { Command } from 'clipanion'
import { DeploymentCommand } from '../shared/deployment-command.js'
import type { ExitCode } from '../terminal/exit-codes.js'

export class DeploymentRunCommand extends DeploymentCommand {
  static override paths = [['deployment', 'run']]
  static override usage = Command.Usage({
    category: 'Run',
    description: 'Start a run of a deployment now',
    details: 'Where the provider has no deployments, a run is a session with the events that agents.yaml says.',
    examples: [['Not wait for the night', 'agents deployment run nightly']],
  })

  override async execute(): Promise<ExitCode> {
    return this.actOn(async (deployment) => {
      const { renderRemote } = await import('../render/whole-remote.js')
      const run = await deployment.run()
      this.output.record({ type: 'run', address: deployment.address, run })
      this.output.print(`${this.output.style.green('✓')} started a run of ${deployment.address}\n`)
      this.output.print(renderRemote(run))
    })
  }
}
