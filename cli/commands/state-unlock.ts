// `agents state unlock`: removes a lock whose holder is gone.
import { Command } from 'clipanion'
import { EngineCommand } from '../project/engine-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class StateUnlockCommand extends EngineCommand {
  static override paths = [['state', 'unlock']]
  static override usage = Command.Usage({
    category: 'State',
    description: 'Remove the lock of a run that has ended',
    details:
      'A run that died on this machine needs no unlock: the next one notices. This is for a lock of another machine,\n' +
      'once it is certain that its run is gone. A holder that still runs here keeps its lock.',
    examples: [['After another machine went down in the middle of an apply', 'agents state unlock']],
  })

  override async execute(): Promise<ExitCode> {
    const { stateHome, statePorts } = await import('../project/recorded.js')
    const { unlockState } = await import('../../core/state/store.js')
    const holder = await unlockState({ ...statePorts, ...stateHome(this), command: 'agents state unlock' })
    this.output.record({ type: 'unlocked', holder: holder ?? null })
    this.output.print(
      holder === undefined
        ? 'There was no lock.'
        : holder === 'unreadable'
          ? 'Removed a lock that did not name its holder.'
          : `Removed the lock of "${holder.command}" (process ${holder.pid} on ${holder.host}, since ${holder.since}).`,
    )
    return exitCode.done
  }
}
