// `agents state show ADDRESS`: prints the record of one resource. State has no values; `--live` reads them from the
// provider.
import { Command, Option } from 'clipanion'
import type { Row } from '../../core/state/row.js'
import { leafKeys, pathText } from '../../core/value/tree.js'
import { announceEmulator, emulatorAddress } from '../project/emulator-address.js'
import { EngineCommand } from '../project/engine-command.js'
import { renderLive } from '../render/leaf.js'
import { columns } from '../render/text.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'
import { interruptible } from '../terminal/interruption.js'

export class StateShowCommand extends EngineCommand {
  static override paths = [['state', 'show']]
  static override usage = Command.Usage({
    category: 'State',
    description: 'Show the recorded state of one resource',
    details:
      'State has hashes and no values. With --live the provider is asked what it has now; secrets are masked, and\n' +
      'agents.yaml is read for the keys.',
    examples: [
      ['One agent', 'agents state show qoder.agent.helper'],
      ['What the provider has now', 'agents state show qoder.agent.helper --live'],
    ],
  })

  address = Option.String({ name: 'ADDRESS' })

  live = Option.Boolean('--live', false, { description: 'Ask the provider, and show the values it has now.' })

  override async execute(): Promise<ExitCode> {
    const { readState, recordedAddress } = await import('../project/recorded.js')
    const { rows } = await readState(this)
    const address = recordedAddress(rows, this.address)
    const row = rows.get(address)
    if (!row) throw new Error(`${address} vanished from the rows`)
    this.output.record({ type: 'resource', address, ...row })
    this.output.print(columns([['address', address], ...facts(row)]))
    return this.live ? this.showLive(address, row) : exitCode.done
  }

  private showLive(address: string, row: Row): Promise<ExitCode> {
    return interruptible(async ({ gentle }) => {
      const emulatorUrl = emulatorAddress(this.context.env)
      announceEmulator(this.output, emulatorUrl)
      const { openProject } = await import('../project/open-project.js')
      const { Applied } = await import('../../core/actions/applied.js')
      const { readLive } = await import('../../core/actions/live.js')
      const { engine } = await openProject(this, emulatorUrl)
      const live = await readLive(await Applied.open({ ...engine, signal: gentle }), address, row)
      this.output.record({ address, ...live, type: 'live', state: live.type })
      if (live.type === 'present' && live.isPaused)
        this.output.print('\nPaused: its schedule starts no runs until "agents deployment resume".')
      if (live.type === 'present') this.output.print(`\n${renderLive(live.leaves, this.output.style)}`)
      else this.output.print(`\n${missing[live.type]}`)
      return live.type === 'gone' ? exitCode.failed : exitCode.done
    })
  }
}

const missing = {
  gone: 'The provider does not have the object any more, or has archived it.',
  absent: 'There is no object at the provider.',
} as const

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
    ...Object.entries(row.leaves).map(
      ([path, hashes]) => ['leaf', `${pathText(leafKeys(path))}${agreement(row, path, hashes)}`] as const,
    ),
  ]
}

function agreement({ notTaken = [] }: Row, path: string, hashes: Row['leaves'][string]): string {
  if (notTaken.includes(path)) return ' (not taken by the provider)'
  return Array.isArray(hashes) ? ' (what was sent and what came back differ)' : ''
}
