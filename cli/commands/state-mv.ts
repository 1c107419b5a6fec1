// `agents state mv FROM TO`: records that a resource was renamed in agents.yaml, so that it keeps its object.
import { Command, Option } from 'clipanion'
import { EngineCommand } from '../project/engine-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class StateMvCommand extends EngineCommand {
  static override paths = [['state', 'mv']]
  static override usage = Command.Usage({
    category: 'State',
    description: 'Record a rename, so that the resource retains its object',
    details: 'Provider and kind stay the same. The next apply corrects the name that the object itself carries.',
    examples: [['After renaming the agent in agents.yaml', 'agents state mv qoder.agent.helper qoder.agent.guide']],
  })

  from = Option.String({ name: 'FROM' })
  to = Option.String({ name: 'TO' })

  override async execute(): Promise<ExitCode> {
    const { changeState, recordedAddress } = await import('../project/recorded.js')
    const { moveRow } = await import('../../core/state/edit.js')
    const { from, to } = await changeState(this, (state) =>
      moveRow(state, recordedAddress(state.rows, this.from), this.to),
    )
    this.output.record({ type: 'moved', from, to })
    this.output.print(`${from} is now ${to}.`)
    return exitCode.done
  }
}
