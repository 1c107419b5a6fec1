// A secret in every key of the provider blocks and of `defaults`, and in places that do not accept variables.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { sampleMap } from '../../../cli/reference/sample.js'
import { viewOf } from '../../../core/declaration/schema-view.js'
import { defaultsSchema } from '../../../core/declaration/targets.js'
import type { JsonObject } from '../../../core/value/tree.js'
import { builtins } from '../../../plugins/builtins.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { fieldPlacesIn } from '../../support/field-places.js'
import { emulate } from '../emulator.js'
import { agentsHere } from '../in-process.js'
import { scratchFolder } from '../scratch.js'

const secret = 'tok-zq77k-5ecret'
const texts = ['${TAINT}', 'https://${TAINT}.example.com/v1', 'https://user:${TAINT}@a.example', '${TAINT}\nx'] as const

for (const [name, { load }] of Object.entries(builtins))
  t.test(`${name}: a secret in provider blocks and defaults is printed nowhere`, async (t) => {
    const { configuration } = await load()
    const folder = scratchFolder(t)
    const { env } = await emulate(t)
    const block = sampleMap(viewOf(configuration))
    const environments = { e: { config: { type: 'cloud' } } }
    const whole = (providers: JsonObject, more: JsonObject = {}) => ({ version: '1', providers, environments, ...more })
    const defaults = fieldPlacesIn(viewOf(defaultsSchema(kinds)), name)
    const places = fieldPlacesIn(viewOf(configuration), name)
    t.ok(places.length > 1 && defaults.length > 1)
    const files = texts.flatMap((text) => [
      ...places.map((place) => whole({ [name]: { ...block, ...place.withText(text) } })),
      ...defaults.map((place) => whole({ [name]: block }, { defaults: place.withText(text) })),
      whole({ [text]: block }),
      whole({ [name]: { ...block, [text]: text } }),
      whole({ [name]: { ...block, plugin: text } }),
      whole({ [name]: block }, { version: text }),
      whole({ [name]: block }, { [text]: text, 'x-mine': text }),
      whole({ [name]: block }, { environments: { [text]: text, e: text } }),
      whole({ [name]: block }, { environments: text }),
    ])
    for (const file of files) {
      writeFileSync(join(folder, 'agents.yaml'), JSON.stringify(file))
      for (const words of [['validate'], ['plan', '--json', '--verbose']]) {
        const { stdout, stderr } = await agentsHere(words, { folder, env: { ...env, TAINT: secret } })
        if (!/zq77k/i.test(stdout + stderr)) continue
        t.fail(`${words.join(' ')} of ${JSON.stringify(file)}: ${stdout}${stderr}`)
      }
    }
  })
