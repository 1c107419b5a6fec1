// `agents state show ADDRESS`: what is recorded about one resource. State holds no values, so neither does this.
import { Command, Option } from 'clipanion'
import type { Row } from '../../core/state/row.js'
import { EngineCommand } from '../engine-command.js'
import { type ExitCode, exitCode } from '../exit-codes.js'
import { columns } from '../render/text.js'

export class StateShowCommand extends EngineCommand {
  static override paths = [['state', 'show']]
  static override usage = Command.Usage({
    category: 'State',
    description: 'Show what state records about one resource',
    examples: [['One agent', 'agents state show qoder.agent.helper']],
  })

  address = Option.String({ name: 'ADDRESS' })

  override async execute(): Promise<ExitCode> {
    const { readState, recordedAddress } = await import('../recorded.js')
    const { rows } = await readState(this)
    const address = recordedAddress(rows, this.address)
    const row = rows.get(address)
    if (!row) throw new Error(`${address} vanished from the rows`)
    this.output.record({ type: 'resource', address, ...row })
    this.output.print(columns([['address', address], ...facts(row)]))
    return exitCode.done
  }
}

function facts(row: Row): readonly (readonly [string, string])[] {
  const pairs = (map: Readonly<Record<string, string>> | undefined, name: string) =>
    Object.entries(map ?? {}).map(([key, value]) => [name, `${key} = ${value}`] as const)
  return [
    ['id', row.id ?? '(none yet)'],
    ...(row.api === undefined ? [] : [['api', row.api] as const]),
    ['ownership', row.ownership === 'external' ? 'external: verified, never changed' : 'managed'],
    ['target', row.target === 'pin' ? 'pinned to the provider' : 'default target'],
    ...pairs(row.outputs, 'output'),
    ...pairs(row.inputs, 'input'),
    ...pairs(row.parts, 'part'),
    ...(row.deposed ?? []).map(({ id }) => ['replaced', `${id} is still to be removed`] as const),
    ...(row.operation === undefined ? [] : [['unfinished', JSON.stringify(row.operation)] as const]),
    ...Object.entries(row.leaves).map(([path, hashes]) => ['leaf', `${path}${agreement(row, path, hashes)}`] as const),
  ]
}

function agreement({ notTaken = [] }: Row, path: string, hashes: Row['leaves'][string]): string {
  if (notTaken.includes(path)) return ' (not taken by the provider)'
  return Array.isArray(hashes) ? ' (what was sent and what came back differ)' : ''
}
