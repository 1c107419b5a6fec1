// A secret in every field of a file: sync keeps `${NAME}` in its place and prints the value nowhere, whatever changes of the
// variable and the object. The fields are generated from the schemas, the projects from the examples.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse, stringify } from 'yaml'
import { loadProject } from '../../core/declaration/load.js'
import { buildResources } from '../../core/graph/resources.js'
import type { Declaration } from '../../core/plugin/declaration.js'
import { nodeDisk } from '../../core/ports/node-disk.js'
import { isObject } from '../../core/value/tree.js'
import { builtins } from '../../plugins/builtins.js'
import { kinds } from '../../plugins/kinds/index.js'
import { bodiesOf, wordsIn } from '../support/referred.js'
import { isLong, longTimeoutMs, seed } from '../support/sample.js'
import { textPlacesIn } from '../support/text-places.js'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { records, scratchFolder } from './scratch.js'

const token = 'tok-L1VE-5ecret-77'
/** Some providers convert it to lower case. */
const anyToken = new RegExp(token, 'i')
/** Returns the first value that a field accepts. */
const texts = ['With ${TAINT}.', '${TAINT}', 'in/${TAINT}.md', 'https://a.example/${TAINT}'] as const

/** Matches fields that name an existing object, and keys by which state knows parts: they are not changed. */
const fixed =
  /_id$|\/(builtin|configs|entries|agents|purpose|version|model)\/.*(0|key|name)$|\/(purpose|version|model|secret_name)$|credentials\/0\/name$/

t.comment(`STEWARD_TEST_SEED=${seed}`)
if (isLong) t.setTimeout(longTimeoutMs)

for (const [place, provider] of ['bailian', 'qoder', 'claude', 'ark'].entries())
  t.test(`${provider}: every field keeps its variable`, async (t) => {
    const folder = scratchFolder(t)
    const emulator = await emulate(t)
    cpSync(join('examples', provider), folder, { recursive: true })
    const file = join(folder, 'agents.yaml')
    const put = (text: string) => writeFileSync(file, text)
    const dotenv = (value: string | undefined) =>
      writeFileSync(join(folder, '.env'), value === undefined ? '' : `TAINT="${value}"\n`)
    const run = (...words: readonly string[]) => agentsHere(words, { folder, env: emulator.env })
    const isValid = async (body: unknown) => {
      put(stringify(body))
      const { project, registry, diagnostics } = await loadProject({
        file,
        workingFolder: folder,
        disk: nodeDisk,
        environment: { TAINT: token },
        kinds,
        builtins,
        isEmulated: true,
      })
      // A warning would say that the provider does not support the field.
      if (!project || diagnostics.some(({ severity }) => severity !== 'note')) return false
      const targets = ({ providers }: Declaration) => providers.names
      return buildResources({ project, registry, projectName: 'p', rows: new Map(), targets }).diagnostics.length === 0
    }
    const { body, places } = await tainted(parse(readFileSync(file, 'utf8'), { merge: true }), isValid)
    t.comment(`${places.length} fields: ${places.map((place) => place.join('.')).join(' ')}`)
    const text = stringify(body)
    put(text)
    dotenv(token)
    const applied = await run('apply', '--yes')
    t.equal(applied.code, 0, applied.stderr)

    const check = async (what: string): Promise<readonly Record<string, unknown>[]> => {
      const checked = await run('sync', '--check', '--json')
      const plain = await run('sync')
      for (const { stdout, stderr } of [checked, plain]) t.notMatch(`${stdout}${stderr}`, anyToken, what)
      const after = readFileSync(file, 'utf8')
      t.notMatch(after, anyToken, what)
      const written: unknown = parse(after)
      const lost = places.filter((path) => !wordsIn(at(written, path)).some((word) => word.includes('${TAINT}')))
      t.same(
        lost.map((path) => path.join('.')),
        [],
        `${what}: every variable stays`,
      )
      put(text)
      return records(checked.stdout)
    }
    const bodies = await bodiesOf(emulator)
    const patchAll = async (change: (body: object) => object) => {
      for (const [id, body] of bodies) if (isObject(body)) await emulator.patch(id, change(body))
    }
    const values = { 'as it was': token, absent: undefined, rotated: 'tok-N3W-5ecret-88', empty: '' }
    const situations = Object.entries(values)
    const chosen = situations.filter((_, index) => isLong || index === (seed + place) % situations.length)
    for (const [situation, value] of chosen) {
      dotenv(value)
      await check(`${situation}, no drift`)
      await patchAll(beside)
      await check(`${situation}, drift beside`)
      await patchAll(inside)
      const reported = await check(`${situation}, drift in it`)
      if (situation === 'rotated')
        t.ok(
          reported.some(({ code }) => code === 'sync.variable-kept'),
          'kept fields are reported',
        )
      t.equal(reported.at(-1)?.['isInSync'], false, `${situation}: the file differs from the object`)
      await patchAll((body) => body)
    }
  })

/** Returns the project with the variable in every field that accepts one, and the places. */
async function tainted(body: unknown, isValid: (body: unknown) => Promise<boolean>) {
  const places: (readonly string[])[] = []
  let current = body
  for (const { section, schema } of kinds) {
    const declared = isObject(current) ? current[section] : undefined
    for (const name of isObject(declared) ? Object.keys(declared) : [])
      for (const { pointer } of textPlacesIn(schema)) {
        if (fixed.test(pointer)) continue
        const place = [section, name, ...pointer.split('/').slice(1)]
        // The same field of two declarations of a kind is one field, unless the first cannot have it.
        if (places.some((known) => known[0] === section && known.slice(2).join('/') === place.slice(2).join('/')))
          continue
        for (const text of pointer.includes('hosts') ? ['${TAINT}.example'] : texts) {
          const next = planted(current, place, text)
          if (next === undefined || !(await isValid(next))) continue
          current = next
          places.push(place)
          break
        }
      }
  }
  return { body: current, places }
}

/** Undefined where the file has nothing that the field could be in. */
function planted(value: unknown, [key, ...rest]: readonly string[], text: string): unknown {
  if (key === undefined) return isObject(value) || Array.isArray(value) ? undefined : text
  if (Array.isArray(value)) {
    const item = planted(value[Number(key)], rest, text)
    return item === undefined ? undefined : value.with(0, item)
  }
  if (!isObject(value)) return undefined
  const member = rest.length === 0 || value[key] !== undefined ? planted(value[key], rest, text) : undefined
  return member === undefined ? undefined : { ...value, [key]: member }
}

function at(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value
  if (Array.isArray(value)) return value.map((item) => at(item, rest))
  return isObject(value) ? at(value[key], rest) : undefined
}

/** Members whose text contains the value with other words around it. */
function inside(body: object): object {
  return Object.fromEntries(
    Object.entries(body)
      .filter(([key, member]) => key !== 'id' && JSON.stringify(member).match(anyToken) !== null)
      .map(([key, member]) => [key, JSON.parse(JSON.stringify(member).replace(new RegExp(token, 'gi'), '$&-changed'))]),
  )
}

/** Another field of the same object. */
function beside(body: object): object {
  return { ...('metadata' in body ? { metadata: { OUTSIDE: 'changed' } } : {}) }
}
