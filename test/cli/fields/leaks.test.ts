// A secret in every field of every kind on every provider, each with its own variable: no command prints the value and no
// file contains it, throughout the life of the project. The fields are generated from the schemas.
import t from 'tap'
import { builtins } from '../../../plugins/builtins.js'
import { lanesOf } from '../../../plugins/kinds/lanes.js'
import { isLong, longTimeoutMs, seed } from '../../support/sample.js'
import { records } from '../scratch.js'
import { Life } from './life.js'
import { type Plant, plantsOf } from './planted.js'
import { type ValueFormName, valueForms } from './values.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
if (isLong) t.setTimeout(longTimeoutMs)

// Names of a table.
const formNames = Object.keys(valueForms) as readonly ValueFormName[]
const lanes = lanesOf(await Promise.all(Object.values(builtins).map(({ load }) => load())))

for (const [place, lane] of lanes.entries())
  for (const name of formNames.filter((name) => name !== 'three characters' && isChosen(name, place)))
    t.test(`${lane.name}: ${name} in every field is printed nowhere`, async (t) => {
      const places = plantsOf(lane)
      const life = await Life.begin(t, { lane, values: valueForms[name], plants: places.flat() })
      const taken = await life.settle(places)
      t.comment(`${places.length} fields; planned: ${taken.map((plant) => plant.place).join(', ')}`)
      t.ok(taken.length > 40)
      await wholeLife(life, taken)
      t.same([...life.leaks], [])
    })

t.test('a value of three characters is in no file, and no plan shows it as a value', async (t) => {
  const chosen = lanes.filter((_, place) => isLong || place === seed % lanes.length)
  for (const lane of chosen) {
    const values = valueForms['three characters']
    const life = await Life.begin(t, { lane, values, plants: plantsOf(lane).flat() })
    await life.settle(plantsOf(lane))
    life.leaks.clear() // Messages may show short values.
    await life.run('plan', '--out', 'saved.json')
    await life.run('plan', 'show', 'saved.json', '--json')
    life.removeSavedPlan()
    await life.run('apply', '--yes')
    await life.run('destroy', '--yes')
    t.same(
      [...life.leaks].filter(([place, where]) => !where.endsWith('stderr') && !/_id \$/.test(place)),
      [],
      lane.name,
    )
  }
})

/** Forms of secrets: plain tokens for all lanes but one, which has another form depending on the seed. */
function isChosen(name: ValueFormName, place: number): boolean {
  const others = formNames.filter((one) => one !== 'token' && one !== 'three characters')
  return isLong || name === 'token' || (place === seed % lanes.length && name === others[seed % others.length])
}

async function wholeLife(life: Life, taken: readonly Plant[]): Promise<void> {
  const first = (kind: string) => taken.find((plant) => plant.kind === kind)?.name ?? 'example'
  await life.run('plan', '--verbose', '--out', 'saved.json')
  await life.run('plan', 'show', 'saved.json')
  await life.run('plan', 'show', 'saved.json', '--json')
  life.removeSavedPlan()
  await life.emulator.knobs({ hold: { write: 9, when: 'after' } })
  const applying = life.run('apply', '--yes', '--json')
  await life.emulator.held()
  life.lookIntoFolder('half an apply') // Includes lock and journal.
  await life.emulator.knobs({ hold: null })
  await applying
  await life.run('plan')
  await life.run('graph')
  await life.run('sync', '--check', '--json')
  const listed = records((await life.run('state', 'list', '--json')).stdout)
  const addresses = listed.flatMap(({ address }) => (typeof address === 'string' ? [address] : []))
  for (const address of addresses.filter((_, index) => index % 8 === seed % 8))
    await life.run('state', 'show', address, '--live', '--json')
  await life.run('session', 'create', first('agent'), '--verbose')
  await life.run('deployment', 'run', first('deployment'), '--json')
  await life.run('memory', 'list', first('memory_store'))
  life.rotate()
  await life.run('plan', '--json', '--verbose')
  await life.run('apply', '--yes', '--verbose')
  life.forget()
  await life.run('plan')
  await life.run('sync', '--check')
  await life.run('sync')
  await life.run('destroy', '--yes', '--json')
}
