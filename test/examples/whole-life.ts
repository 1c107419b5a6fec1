// The whole life of an example folder: checked, applied, changed by somebody else, put right, synced, destroyed.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Test } from 'tap'
import { expectDone, expectEmpty, expectNothingLeft, expectSettled } from '../../core/plugin/conformance/expect.js'
import { World } from '../../core/plugin/conformance/world.js'
import type { Provider } from '../../core/plugin/provider.js'
import type { EmulatedProvider } from '../../plugins/emulator/contract.js'
import { kinds } from '../../plugins/kinds/index.js'
import { emulated } from '../support/emulated.js'
import { synced } from '../support/round-trip.js'

export interface Example {
  readonly provider: Provider
  readonly emulator: EmulatedProvider
  /** Below `examples`. */
  readonly folder: string
  /** An agent whose description somebody changes. */
  readonly agent: string
}

export async function wholeLife(t: Test, { provider, emulator, folder, agent }: Example): Promise<void> {
  const { 'agents.yaml': text = '', ...files } = filesBelow(
    new URL(`../../examples/${folder}`, import.meta.url).pathname,
  )
  const version = { text, files }
  // Any word must do as the value of any variable.
  const names = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => [name ?? '', 'whatever-word'] as const)
  const subject = { provider, kinds, project: version, edits: {}, variables: Object.fromEntries(names) }
  const world = await World.open({ ...subject, startService: emulated(emulator) })
  t.teardown(() => world.close())

  const { changes, diagnostics } = await world.plan({ version })
  t.same([...new Set(changes.map(({ action }) => action))], ['create'])
  t.same(
    diagnostics.filter(({ severity }) => severity !== 'note'),
    [],
    'nothing to warn of',
  )
  const declared = new Set(changes.map(({ kind }) => kind))
  const had = provider.capabilities.filter(({ support }) => support !== 'unsupported').map(({ kind }) => kind)
  t.same([...declared].sort(), had.sort(), 'every kind that the provider has')
  expectDone(await world.apply({ version }))
  await expectSettled(world, version)

  const found = (await world.service.objects()).find(({ kind, name }) => kind === 'agent' && name === agent)
  const response = await fetch(`${world.service.emulatorUrl}/_emulator/objects/${found?.id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ description: 'Changed by somebody else' }),
  })
  t.equal(response.status, 200)
  const drifted = await world.plan({ version })
  const [seen] = drifted.changes.filter(({ cause }) => cause === 'drift')
  t.equal(seen?.address, `${provider.name}.agent.${agent}`)
  t.same(
    seen?.leaves.map(({ path }) => path),
    ['description'],
    'the plan shows exactly it',
  )
  expectDone(await world.apply({ version }))
  await expectSettled(world, version)

  const { text: after, imports } = await synced(world, version)
  t.equal(after, text, 'sync finds nothing to say')
  t.same(imports, [])
  expectDone(await world.apply({ version, mode: 'destroy' }))
  await expectNothingLeft(world, version)
  expectEmpty(await world.plan({ version, mode: 'destroy' }))
}

function filesBelow(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path, 'utf8')]))
}
