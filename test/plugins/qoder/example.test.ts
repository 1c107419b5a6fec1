// examples/qoder against the emulator: apply, drift, repair and destroy.
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { effectiveChanges, World } from '../../../core/conformance/world.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { qoderEmulator } from '../../../plugins/qoder/emulator/index.js'
import { qoder } from '../../../plugins/qoder/index.js'
import { emulated } from '../../support/emulated.js'

const folder = fileURLToPath(new URL('../../../examples/qoder', import.meta.url))

async function example() {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files: Record<string, string> = {}
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const path = `${entry.parentPath}/${entry.name}`
    files[path.slice(folder.length + 1)] = await readFile(path, 'utf8')
  }
  const { 'agents.yaml': text = '', ...rest } = files
  const names = new Set([...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name))
  const variables = Object.fromEntries([...names].map((name) => [name, `any-word-for-${name.toLowerCase()}`]))
  return { version: { text, files: rest }, variables }
}

t.test('the example is applied, needs no change then, and is destroyed without a trace', async (t) => {
  const { version, variables } = await example()
  const project = { provider: qoder, kinds, project: version, edits: {}, variables }
  const world = await World.open({ ...project, startService: emulated(qoderEmulator) })
  t.teardown(() => world.close())
  const { outcomes } = await world.apply({ version })
  t.same(
    outcomes.filter(({ status }) => status !== 'done'),
    [],
  )
  t.same(effectiveChanges(await world.plan({ version })), [])
  const used = new Set(outcomes.map(({ address }) => address.split('.')[1]))
  t.same(
    kinds.map(({ kind }) => kind).filter((kind) => !used.has(kind)),
    [],
    'it has every kind',
  )
  const destroyed = await world.apply({ version, mode: 'destroy' })
  t.same(
    destroyed.outcomes.filter(({ status }) => status !== 'done'),
    [],
  )
  const left = (await world.service.objects()).filter(
    ({ archived, permanent, seeded }) => !archived && !permanent && !seeded,
  )
  t.same(left, [])
})
