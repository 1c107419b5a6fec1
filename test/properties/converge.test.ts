// For random declarations and faults, the next apply without faults converges to the declaration.
import fc from 'fast-check'
import t from 'tap'
import { expectDone, expectNothingLeft, expectSettled } from '../../core/conformance/expect.js'
import type { HttpCall } from '../../core/conformance/life.js'
import { inWorld } from '../../core/conformance/stage.js'
import type { Subject } from '../../core/conformance/subject.js'
import { refusalOf, type World } from '../../core/conformance/world.js'
import { emulatedProviders } from '../../plugins/builtin-emulators.js'
import { builtins } from '../../plugins/builtins.js'
import { kinds } from '../../plugins/kinds/index.js'
import { emulatedWith } from '../support/emulated.js'
import { isLong, longTimeoutMs, seed } from '../support/sample.js'
import { visitedQoder } from '../support/visitors.js'
import { anyVersion, outsideId, secrets, variables } from './declarations.js'
import { visits } from './desk.js'
import { anyTrouble } from './troubles.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
if (isLong) t.setTimeout(longTimeoutMs)
const options = { seed, numRuns: isLong ? 300 : 8 }

const [provider, ...others] = await Promise.all(Object.values(builtins).map(({ load }) => load()))
if (!provider) throw new Error('No built-in provider')
const emulators = (await Promise.all(Object.values(emulatedProviders).map((load) => load()))).map((emulator) =>
  emulator.provider === 'qoder' ? visitedQoder(visits) : emulator,
)
const subject: Subject = {
  provider,
  others,
  kinds,
  project: { text: '' },
  edits: {},
  variables,
  startService: emulatedWith([{ provider: 'claude', kind: 'environment', id: outsideId }], ...emulators),
}
const harmless = { allowsCopies: true, allowsPermanent: true }

t.test('random declarations and random failures converge, and destroy leaves nothing behind', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(anyVersion, anyTrouble), { minLength: 1, maxLength: 3 }), (steps) =>
      inWorld(subject, async (world) => {
        const outputs: unknown[] = []
        for (const [version, trouble] of steps) {
          await refusalOf(world.run({ version, ...trouble })).then((refused) => outputs.push(refused))
          const calm = await world.apply({ version })
          expectDone(calm)
          await expectSettled(world, version, harmless)
          outputs.push(calm.outcomes, calm.plan.diagnostics)
        }
        const [version, trouble] = steps[0] ?? []
        if (!version || !trouble) return
        await refusalOf(world.run({ version, mode: 'destroy', ...trouble })).then((refused) => outputs.push(refused))
        expectDone(await world.apply({ version, mode: 'destroy' }))
        await expectNothingLeft(world, version, harmless)
        expectNoSecret(world, JSON.stringify(outputs))
      }),
    ),
    options,
  ),
)

t.test('a run for one provider leaves every object of the others exactly as it is', () =>
  fc.assert(
    fc.asyncProperty(
      anyVersion,
      anyVersion,
      anyTrouble,
      fc.constantFrom(provider.name, ...others.map(({ name }) => name)),
      fc.boolean(),
      (before, after, trouble, only, isDestroy) =>
        inWorld(subject, async (world) => {
          expectDone(await world.apply({ version: before }))
          const requests: string[] = []
          const mode = isDestroy ? 'destroy' : 'apply'
          const fate = (call: HttpCall) => {
            requests.push(call.request.url)
            return trouble.fate(call)
          }
          await refusalOf(world.run({ version: after, providers: [only], mode, ...trouble, fate }))
          await refusalOf(world.run({ version: after, providers: [only], mode, fate }))
          const elsewhere = requests.filter((url) => !new URL(url).pathname.startsWith(`/${only}/`))
          if (elsewhere.length > 0) throw new Error(`with --provider ${only}: ${elsewhere.join('\n')}`)
        }),
    ),
    options,
  ),
)

function expectNoSecret({ disk }: World, output: string): void {
  for (const secret of secrets) {
    if (output.includes(secret)) throw new Error(`${secret} was printed`)
    if (disk.written.some((text) => text.includes(secret))) throw new Error(`${secret} was written`)
  }
}
