// `agents state rm`: forgets resources in state and leaves the objects at the provider.
import { Command, Option } from 'clipanion'
import { EngineCommand } from '../project/engine-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class StateRmCommand extends EngineCommand {
  static override paths = [['state', 'rm']]
  static override usage = Command.Usage({
    category: 'State',
    description: 'Forget resources; the objects stay with the provider',
    details: 'The next plan creates a forgotten resource anew if agents.yaml still declares it.',
    examples: [['Let go of an environment that others go on using', 'agents state rm qoder.environment.shared']],
  })

  addresses = Option.Rest({ name: 'ADDRESS...', required: 1 })

  override async execute(): Promise<ExitCode> {
    const { changeState, recordedAddress } = await import('../project/recorded.js')
    const { forgetRows } = await import('../../core/state/edit.js')
    const released = await changeState(this, async (state) => {
      const addresses = this.addresses.map((written) => recordedAddress(state.rows, written))
      return forgetRows(state, addresses)
    })
    for (const { address, id } of released) {
      this.output.record({ type: 'forgotten', address, id })
      this.output.print(`Forgot ${address}${id === null ? '' : `; ${id} stays with the provider`}.`)
    }
    return exitCode.done
  }
}
