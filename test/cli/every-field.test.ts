// A variable in every place that the schemas have, taken or refused: its value is shown nowhere, and no file has it.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { parse, stringify } from 'yaml'
import { isObject } from '../../core/value/tree.js'
import { kinds } from '../../plugins/kinds/index.js'
import { isLong, longTimeoutMs, seed } from '../support/sample.js'
import { placesIn, planted, type SchemaPlace } from '../support/schema-places.js'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { scratchFolder } from './scratch.js'

/** Each value is recognised by the word in it, however the rest is escaped. */
const word = 'S3cr3tW0rd'
const values = [
  `tok-${word}-77`,
  `${word}`,
  `a "${word}" \\ b`,
  `first line\n${word}\nlast line`,
  `ключ ${word} – 鍵`,
  `%2F${word}=&?#`,
] as const
const rotated = 'N3wS3cr3tW0rd'
/** In any case, and as base64 at each of the three places it can begin at. */
const shown = new RegExp(
  [
    word,
    ...[0, 1, 2].map((at) =>
      Buffer.from(`${'x'.repeat(at)}${word}`)
        .toString('base64')
        .slice(at + 1, 12),
    ),
  ].join('|'),
  'i',
)

/** How the variable is written: alone, in a sentence, an address, a path, a host. */
const texts = [
  '${TAINT}',
  'With ${TAINT}.',
  'https://a.example/${TAINT}',
  'in/${TAINT}.md',
  '${TAINT}.example',
] as const

interface Trial {
  readonly section: string
  readonly place: SchemaPlace
  readonly text: string
  readonly value: string
}

/** The id of an object that was made elsewhere is recorded as the ids of our own are, and shown. */
const isIdOfAnother = ({ path }: SchemaPlace): boolean => path.length === 1 && String(path[0]).endsWith('_id')

const trials: readonly Trial[] = kinds.flatMap(({ section, schema }) =>
  placesIn(schema)
    .filter((place) => !isIdOfAnother(place))
    .flatMap((place, at) =>
      texts.map((text, index) => ({ section, place, text, value: values[(at + index) % values.length] ?? word })),
    ),
)

t.comment(`STEWARD_TEST_SEED=${seed}; ${trials.length} trials a provider`)
if (isLong) t.setTimeout(longTimeoutMs)

for (const provider of ['bailian', 'qoder', 'claude', 'ark'])
  t.test(`${provider}: no place shows the value of a variable`, async (t) => {
    const chosen = isLong ? trials : fc.sample(fc.constantFrom(...trials), { numRuns: 20, seed })
    const original: unknown = parse(readFileSync(join('examples', provider, 'agents.yaml'), 'utf8'), { merge: true })
    const project = await projectOf(t, provider)
    // One after the other into the same project, as long as it can be planned.
    let taken = original
    const places: string[] = []
    for (const trial of chosen) {
      const next = withVariable(taken, trial)
      if (await project.isPlanned(next, trial.value, nameOf(trial))) {
        taken = next
        places.push(nameOf(trial))
      } else await project.isPlanned(withVariable(original, trial), trial.value, nameOf(trial))
    }
    t.comment(`${places.length} of ${chosen.length} are taken together`)
    t.ok(places.length > 0, 'some are')
    await project.live(taken, values[1])
  })

function withVariable(body: unknown, { section, place, text }: Trial): unknown {
  const sections = isObject(body) ? body : {}
  const declared = sections[section]
  const named = isObject(declared) ? declared : {}
  const [name = 'thing'] = Object.keys(named)
  return { ...sections, [section]: { ...named, [name]: planted(named[name], place, text) } }
}

const nameOf = ({ section, place: { path, isKey }, text, value }: Trial): string =>
  `${section}.${path.join('.')}${isKey ? ' (key)' : ''} = ${text}, ${value}`

async function projectOf(t: Test, provider: string) {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  cpSync(join('examples', provider), folder, { recursive: true })
  rmSync(join(folder, '.env'), { force: true })
  const run = async (secret: string, words: readonly string[], where: string) => {
    const env = { ...emulator.env, DESK_TOKEN: 'x', GITHUB_TOKEN: 'x', TAINT: secret }
    const { code, stdout, stderr } = await agentsHere(words, { folder, env })
    t.notMatch(`${stdout}${stderr}`, shown, `${words.join(' ')}: ${where}`)
    for (const [file, content] of filesIn(folder)) t.notMatch(content, shown, `${file}: ${where}`)
    return code
  }
  return {
    async isPlanned(body: unknown, value: string, where: string): Promise<boolean> {
      writeFileSync(join(folder, 'agents.yaml'), stringify(body))
      const code = await run(value, ['plan', '--json', '--verbose', '--out', 'saved.plan'], where)
      rmSync(join(folder, 'saved.plan'), { force: true })
      return code === 0
    },
    /** From the first plan to the end, with another value in between. */
    async live(body: unknown, value: string): Promise<void> {
      writeFileSync(join(folder, 'agents.yaml'), stringify(body))
      await run(value, ['validate'], 'all')
      await run(value, ['plan', '--out', 'saved.plan'], 'all')
      await run(value, ['plan', 'show', 'saved.plan'], 'all')
      await run(value, ['apply', '--yes', '--json', '--verbose'], 'all')
      await run(rotated, ['plan', '--verbose'], 'all')
      await run(rotated, ['apply', '--yes'], 'all')
      await run('', ['sync', '--check', '--json'], 'all')
      await run(rotated, ['sync'], 'all')
      await run(rotated, ['graph'], 'all')
      await run(rotated, ['state', 'list', '--json'], 'all')
      await run(rotated, ['destroy', '--yes', '--json'], 'all')
    },
  }
}

/** What the program wrote, and the file itself, which has the variable. */
const filesIn = (folder: string): readonly (readonly [string, string])[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => [name, readFileSync(join(folder, name), 'latin1')] as const)
