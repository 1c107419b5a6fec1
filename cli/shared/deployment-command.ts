// Base of the `deployment` commands: finds the applied deployment that the first operand names.
import { Option } from 'clipanion'
import type { DeploymentHandle } from '../../core/actions/deployments.js'
import type { ExitCode } from '../terminal/exit-codes.js'
import { ActionCommand } from './action-command.js'

export abstract class DeploymentCommand extends ActionCommand {
  deployment = Option.String({ name: 'NAME' })

  protected actOn(work: (deployment: DeploymentHandle) => Promise<void>): Promise<ExitCode> {
    return this.act(async (applied) => {
      const { DeploymentHandle } = await import('../../core/actions/deployments.js')
      await work(new DeploymentHandle(applied, { kind: 'deployment', name: this.deployment, provider: this.provider }))
    })
  }
}
