// `agents store upgrade`: raises the format of the rows in a database to the newest, after a rolling upgrade.
import { Command, Option } from 'clipanion'
import { environmentNameOf } from '../../server/settings/config.js'
import { UsageProblem } from '../line/usage.js'
import { Output } from '../render/output.js'
import type { Context } from '../terminal/context.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class StoreUpgradeCommand extends Command<Context> {
  static override paths = [['store', 'upgrade']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Let the servers on a database write the newest format of records',
    details:
      'Run it when every server on the database runs this version: until then all of them write the format of the\n' +
      'version before, and that version can be started again. Servers need not stop. Servers of the version before end\n' +
      'by themselves. A data folder is upgraded by the server that opens it.',
    examples: [['After the last server was replaced', 'agents store upgrade --store postgres://steward@db/steward']],
  })

  store = Option.String('--store', {
    env: environmentNameOf('store'),
    description: `Address of the database. Default ${environmentNameOf('store')} (better: others can see arguments).`,
  })
  json = Option.Boolean('--json', false, { description: 'Print records, one JSON object a line (docs/json.md).' })

  #output: Output | undefined

  get output(): Output {
    this.#output ??= new Output(this.context, { isJson: this.json })
    return this.#output
  }

  override async execute(): Promise<ExitCode> {
    const { upgradeStore } = await import('../../server/backup/upgrade-store.js')
    const { explainBackupErrors: explained } = await import('../documents/backup-problem.js')
    const { store } = this
    if (!store) {
      throw new UsageProblem('cli.wrong-usage', {
        detail: 'No database is named.',
        fix: `Give its address in ${environmentNameOf('store')}, or with --store.`,
      })
    }
    const { from, to } = await explained('the database', () => upgradeStore(store))
    this.output.record({ type: 'store-upgraded', from, to })
    this.output.print(
      from === to
        ? `Nothing to do: records are written in format ${to}, the newest of this version.`
        : `Records are written in format ${to} from now on, no longer in format ${from}.`,
    )
    return exitCode.done
  }
}
