// Base of commands that act on applied resources: they read agents.yaml and state, change neither, and call a provider.
import { Option } from 'clipanion'
import type { Applied } from '../../core/actions/applied.js'
import { announceEmulator, emulatorAddress } from '../project/emulator-address.js'
import { EngineCommand } from '../project/engine-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'
import { interruptible } from '../terminal/interruption.js'

export abstract class ActionCommand extends EngineCommand {
  provider = Option.String('--provider', { description: 'Provider, if several are possible.' })

  /** Runs the action; the first Ctrl-C stops it gently. */
  protected act(work: (applied: Applied) => Promise<unknown>): Promise<ExitCode> {
    return this.actWithOutcome(async (applied) => {
      await work(applied)
      return exitCode.done
    })
  }

  /** Same as `act`, for actions that may end in several ways. */
  protected actWithOutcome(work: (applied: Applied) => Promise<ExitCode>): Promise<ExitCode> {
    return interruptible(async ({ gentle }) => {
      const emulatorUrl = emulatorAddress(this.context.env)
      announceEmulator(this.output, emulatorUrl)
      const { openProject } = await import('../project/open-project.js')
      const { Applied } = await import('../../core/actions/applied.js')
      const { engine } = await openProject(this, emulatorUrl)
      const applied = await Applied.open({ ...engine, signal: gentle })
      this.output.report(applied.state.notes)
      return work(applied)
    })
  }
}
