// Runs all commands on an example folder: validate, apply, repair of drift, sync, destroy.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Test } from 'tap'
import { parse, stringify } from 'yaml'
import { expectDone, expectEmpty, expectNothingLeft, expectSettled } from '../../core/conformance/expect.js'
import type { Version } from '../../core/conformance/subject.js'
import { effectiveChanges, World } from '../../core/conformance/world.js'
import type { Provider } from '../../core/plugin/provider.js'
import type { JsonObject } from '../../core/value/tree.js'
import type { EmulatedProvider } from '../../plugins/emulator/contract.js'
import { kinds } from '../../plugins/kinds/index.js'
import { emulated } from '../support/emulated.js'
import { imported, synced } from '../support/round-trip.js'

export interface Example {
  /** Below `examples`. */
  readonly folder: string
  readonly providers: readonly [Emulated, ...Emulated[]]
  readonly drifts: readonly Drift[]
  /** Kinds that other clients cannot change, with the reason: `ark.deployment`. */
  readonly untouchable?: Readonly<Record<string, string>>
}

export interface Emulated {
  readonly provider: Provider
  readonly emulator: EmulatedProvider
}

/** A change of one object by another client, and the leaves that a plan shows. */
export interface Drift {
  readonly address: string
  /** An inner object, by its key in state. */
  readonly part?: string
  /** Merged into the object. Absent: the object is removed. */
  readonly change?: JsonObject
  /** Leaves that the plan shows, or `gone` if the object is created again. */
  readonly shows: readonly string[] | 'gone'
  /** Set if sync cannot adopt the change, because the provider does not return it, or agents.yaml has no member for it. */
  readonly isUnsaid?: true
}

export async function wholeLife(t: Test, example: Example): Promise<void> {
  const version = read(example.folder)
  const world = await opened(t, example, version)

  const { changes, diagnostics } = await world.plan({ version })
  t.same(
    changes.filter(({ action }) => action !== 'create' && action !== 'verify').map(({ address }) => address),
    [],
    'everything is created',
  )
  t.same(
    diagnostics.filter(({ severity }) => severity !== 'note'),
    [],
    'no warnings',
  )
  const ofFile = changes.filter(({ kind }) => kinds.some((known) => known.kind === kind))
  const declared = new Set(ofFile.map(({ kind }) => kind))
  const had = new Set(example.providers.flatMap(({ provider }) => provider.handlers.map(({ kind }) => kind)))
  const ofKinds = kinds.map(({ kind }) => kind).filter((kind) => had.has(kind))
  t.same([...declared].sort(), ofKinds.sort(), 'every kind that some provider has')
  expectDone(await world.apply({ version }))
  await expectSettled(world, version)

  await t.test('changes by another client are planned exactly, and reverted by apply', async (t) => {
    const touched = new Set(example.drifts.map(({ address }) => kindOf(address)))
    const untouched = [...new Set(ofFile.map(({ address }) => kindOf(address)))].filter((kind) => !touched.has(kind))
    t.same(untouched.sort(), Object.keys(example.untouchable ?? {}).sort(), 'every kind is changed')
    await make(world, version, example.drifts)
    t.same(await shown(world, version), expected(example.drifts))
    expectDone(await world.apply({ version }))
    await expectSettled(world, version)
    const { text, imports } = await synced(world, version)
    t.equal(text, version.text, 'sync proposes nothing')
    t.same(imports, [])
    t.same(effectiveChanges(await world.plan({ version: { ...version, text } })), [])
  })

  await t.test('sync adopts changes by another client', async (t) => {
    const written = example.drifts.filter(({ change, isUnsaid }) => change !== undefined && !isUnsaid)
    await make(world, version, written)
    const { text, imports } = await synced(world, version)
    t.not(text, version.text)
    t.same(imports, [])
    const plan = await world.plan({ version: { ...version, text } })
    // Dependents that name the version of a changed object must follow it.
    const others = plan.changes.filter(({ cause }) => cause !== 'dependency')
    t.same(effectiveChanges({ ...plan, changes: others }), [])
    expectDone(await world.apply({ version }))
    await expectSettled(world, version)
  })

  await t.test('sync declares everything readable in a file with nothing but providers', async (t) => {
    const stranger = world.ofOtherUser()
    const { version: format, providers } = parse(version.text)
    const next = await imported(stranger, { text: stringify({ version: format, providers }) })
    const plan = await stranger.plan({ version: next, providers: Object.keys(providers) })
    // Names that are the same on several providers become keys that differ, which the plan then gives to the objects.
    const others = plan.changes.filter(({ leaves }) => leaves.length !== 1 || leaves[0]?.path !== 'name')
    t.same(effectiveChanges({ ...plan, changes: others }), [])
  })

  expectDone(await world.apply({ version, mode: 'destroy' }))
  await expectNothingLeft(world, version)
  expectEmpty(await world.plan({ version, mode: 'destroy' }))
}

/** Any word must do as the value of any variable. */
async function opened(t: Test, { providers }: Example, version: Version): Promise<World> {
  const names = [...version.text.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name)
  const variables = Object.fromEntries(names.map((name) => [name, `some-word-${names.indexOf(name)}`]))
  const [first, ...others] = providers
  const world = await World.open({
    provider: first.provider,
    others: others.map(({ provider }) => provider),
    kinds,
    project: version,
    edits: {},
    variables,
    startService: emulated(...providers.map(({ emulator }) => emulator)),
  })
  t.teardown(() => world.close())
  return world
}

async function make(world: World, version: Version, drifts: readonly Drift[]): Promise<void> {
  const rows = await world.rows(version)
  for (const { address, part, change } of drifts) {
    const row = rows.get(address)
    const id = part === undefined ? row?.id : row?.parts?.[part]
    const request =
      change === undefined
        ? { method: 'DELETE' }
        : { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify(change) }
    const response = await fetch(`${world.service.emulatorUrl}/_emulator/objects/${id}`, request)
    if (!response.ok) throw new Error(`${address} ${part ?? ''} ${id}: ${await response.text()}`)
  }
}

/** Returns changes by address, without those that only follow from others. */
async function shown(world: World, version: Version): Promise<Readonly<Record<string, unknown>>> {
  const { changes } = await world.plan({ version })
  const others = changes.filter(({ action, cause }) => action !== 'none' && cause !== 'dependency')
  return Object.fromEntries(
    others.map(({ address, cause, leaves }) => {
      const drifted = leaves.filter((leaf) => leaf.cause !== 'dependency').map(({ path }) => path)
      return [address, cause === 'gone' ? 'gone' : drifted.sort()]
    }),
  )
}

function expected(drifts: readonly Drift[]): Readonly<Record<string, unknown>> {
  const found: Record<string, Drift['shows']> = {}
  for (const { address, shows } of drifts)
    found[address] = shows === 'gone' ? shows : [...(found[address] ?? []), ...shows].sort()
  return found
}

/** `ark.deployment` of `ark.deployment.nightly`. */
function kindOf(address: string): string {
  return address.split('.', 2).join('.')
}

function read(folder: string): Version {
  const { 'agents.yaml': text = '', ...files } = filesBelow(
    new URL(`../../examples/${folder}`, import.meta.url).pathname,
  )
  return { text, files }
}

function filesBelow(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path, 'utf8')]))
}
