// `agents state list`: lists every resource recorded in state.
import { Command, Option } from 'clipanion'
import type { Row } from '../../core/state/row.js'
import { EngineCommand } from '../project/engine-command.js'
import { columns } from '../render/text.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class StateListCommand extends EngineCommand {
  static override paths = [['state', 'list']]
  static override usage = Command.Usage({
    category: 'State',
    description: 'List the resources in agents.state.json',
    details:
      'Each with its id and what is not ordinary about it. external: only referred to, never changed. pinned: its\n' +
      'declaration names the provider, so that it is in every run, whatever defaults.provider says.',
    examples: [
      ['Everything', 'agents state list'],
      ['What is on one provider', 'agents state list qoder'],
      ['One kind, for a program', 'agents state list qoder.vault --json'],
    ],
  })

  prefix = Option.String({ name: 'PREFIX', required: false })

  override async execute(): Promise<ExitCode> {
    const { readState } = await import('../project/recorded.js')
    const { rows } = await readState(this)
    const wanted = [...rows].filter(([address]) => this.isWanted(address)).sort(([a], [b]) => (a < b ? -1 : 1))
    for (const [address, row] of wanted)
      this.output.record({ type: 'resource', address, id: row.id, notes: remarks(row) })
    this.output.record({ type: 'summary', resources: wanted.length })
    if (wanted.length === 0) this.output.print(rows.size === 0 ? 'State holds nothing.' : 'State holds nothing there.')
    else this.output.print(columns(wanted.map(([address, row]) => [address, row.id ?? '-', remarks(row).join(', ')])))
    return exitCode.done
  }

  private isWanted(address: string): boolean {
    const { prefix } = this
    return prefix === undefined || address === prefix || address.startsWith(`${prefix}.`)
  }
}

/** Remarks about a row: external, waiting, unfinished, … */
function remarks({ ownership, target, operation, deposed }: Row): readonly string[] {
  return [
    ...(ownership === 'external' ? ['external'] : []),
    ...(target === 'pin' ? ['pinned to its provider'] : []),
    ...(operation ? [unfinished[operation.type]] : []),
    ...(deposed?.length ? [`${deposed.length} replaced, to be removed`] : []),
  ]
}

const unfinished: Readonly<Record<NonNullable<Row['operation']>['type'], string>> = {
  create: 'create unfinished',
  parts: 'parts unfinished',
  readiness: 'being checked by the provider',
  removal: 'removal unfinished',
  cleanup: 'clean-up unfinished',
}
