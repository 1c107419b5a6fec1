// `agents sync`: writes into agents.yaml the objects of the providers that it lacks or declares differently.
import { Command, Option } from 'clipanion'
import { UsageProblem } from '../line/usage.js'
import { announceEmulator, emulatorAddress } from '../project/emulator-address.js'
import { EngineCommand } from '../project/engine-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'
import { interruptible } from '../terminal/interruption.js'

export class SyncCommand extends EngineCommand {
  static override paths = [['sync']]
  static override usage = Command.Usage({
    category: 'Reconcile',
    description: 'Write the objects of the providers into agents.yaml',
    details:
      'Adds declarations of objects that the file does not know, and changes the fields that differ; comments and layout\n' +
      'stay. Either everything is written or nothing. Secrets become references to variables, which are listed. Objects with\n' +
      'the mark of another project are left out and named.',
    examples: [
      ['From an account to a file', 'agents sync --import'],
      ['Take over what was changed outside', 'agents sync --provider qoder'],
      ['After state was lost', 'agents sync --import --owned'],
      ['In a script: 0 is in sync, 2 is not', 'agents sync --check'],
    ],
  })

  provider = Option.Array('--provider', { description: 'Only this provider, or "all"; repeatable. Default all.' })
  check = Option.Boolean('--check', false, { description: 'Write nothing; end with 2 when the file is not in sync.' })
  binds = Option.Boolean('--import', false, { description: 'Also take charge of the objects, as "agents import".' })

  owned = Option.Boolean('--owned', false, {
    description: 'Only what carries the mark of this project or is used by that; nothing that was made by hand.',
  })
  take = Option.Array('--take', { description: 'Also the objects with the mark of this project; repeatable.' })

  override async execute(): Promise<ExitCode> {
    if (this.check && this.binds) throw checkAndImport()
    return interruptible(async ({ gentle, stopped }) => {
      const emulatorUrl = emulatorAddress(this.context.env)
      announceEmulator(this.output, emulatorUrl)
      const { openProject } = await import('../project/open-project.js')
      const { syncFile } = await import('../reconcile/syncing.js')
      const opened = await openProject(this, emulatorUrl)
      const outcome = this.check ? 'checked' : this.binds ? 'bound' : 'written'
      const view = await syncFile(this, opened, {
        providers: this.provider ?? [],
        outcome,
        take: this.take ?? [],
        onlyOwned: this.owned,
        signal: gentle,
        hardStop: stopped,
      })
      this.output.report(view.result.notes)
      const { isInSync, renderSync, syncRecords } = await import('../render/sync.js')
      for (const record of syncRecords(view)) this.output.record(record)
      this.output.print(renderSync(view, this.output.style))
      return this.check && !isInSync(view.result) ? exitCode.changes : exitCode.done
    })
  }
}

function checkAndImport(): UsageProblem {
  return new UsageProblem('sync.check-and-import', { detail: '--check only reports, and --import records ids.' })
}
