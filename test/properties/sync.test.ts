// For random changes and removals by another client: sync and apply remove nothing in use, lose no comment and converge, and
// print no value of a variable, with and without the state file.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import type { Version } from '../../core/conformance/subject.js'
import { isObject } from '../../core/value/tree.js'
import { emulatedProviders } from '../../plugins/builtin-emulators.js'
import { emulate, type TestEmulator } from '../cli/emulator.js'
import { agentsHere } from '../cli/in-process.js'
import { bodiesOf, missing, wordsIn } from '../support/referred.js'
import { isLong, longTimeoutMs, seed } from '../support/sample.js'
import { visitedQoder } from '../support/visitors.js'
import { commented, lostComments } from './comments.js'
import { anyVersion, outsideId, secrets, variables } from './declarations.js'
import { visits } from './desk.js'
import { type AccountObject, driftsOf } from './drifts.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
if (isLong) t.setTimeout(longTimeoutMs)

const providers = (await Promise.all(Object.values(emulatedProviders).map((load) => load()))).map((emulator) =>
  emulator.provider === 'qoder' ? visitedQoder(visits) : emulator,
)
/** Texts for drift: words, and the value of a variable that the file may use elsewhere. */
const texts = ['Changed outside', `Told: ${variables.KEY_A}.`] as const
const anyDrift = fc.record({
  object: fc.nat(),
  drift: fc.nat(),
  isRemoval: fc.integer({ min: 0, max: 3 }).map((one) => one === 0),
})

t.test('random drift, sync, apply: nothing in use is removed, comments stay, the plan is empty', () =>
  fc.assert(
    fc.asyncProperty(
      anyVersion,
      fc.array(anyDrift, { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      async (version, drifts, isStateLost) => {
        const here = await opened(version)
        try {
          await here.expect('apply', '--yes', '--provider', 'all')
          for (const one of drifts) await drift(here.emulator, one)
          const known = [...(await bodiesOf(here.emulator)).keys()]
          if (isStateLost) here.forget()
          await here.expect('sync', ...(isStateLost ? ['--import'] : []), '--json')
          const lost = lostComments(here.text, here.read())
          if (lost.length > 0) throw new Error(`lost ${lost.join(', ')}\n${here.read()}`)
          await here.expect('apply', '--yes', '--provider', 'all')
          const gone = await missing(here.emulator, known)
          if (gone.length > 0) throw new Error(`${gone.join('\n')}\n${here.read()}`)
          const plan = await here.expect('plan', '--provider', 'all')
          if (!plan.includes('No changes.')) throw new Error(`${plan}\n${here.read()}`)
          const output = `${here.told.join('\n')}${here.read()}`
          for (const secret of secrets) if (output.includes(secret)) throw new Error(`${secret} was told\n${output}`)
        } finally {
          await here.close()
        }
      },
    ),
    { seed, numRuns: isLong ? 300 : 6, endOnFailure: true },
  ),
)

async function opened(version: Version) {
  const cleaning: (() => Promise<void>)[] = []
  const emulator = await emulate({ teardown: (clean) => void cleaning.push(clean) }, { providers })
  await emulator.seed({ provider: 'claude', kind: 'environment', id: outsideId })
  const folder = mkdtempSync(join(tmpdir(), 'agents-test-'))
  const file = join(folder, 'agents.yaml')
  for (const [name, content] of Object.entries(version.files ?? {})) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  const text = commented(version.text)
  writeFileSync(file, text)
  const env = { ...emulator.env, ...variables, ...version.variables }
  const outputs: string[] = []
  return {
    emulator,
    text,
    told: outputs,
    read: () => readFileSync(file, 'utf8'),
    forget() {
      for (const name of ['agents.state.json', 'agents.state.backup']) rmSync(join(folder, name), { force: true })
    },
    async expect(...words: readonly string[]) {
      const { code, stdout, stderr } = await agentsHere(words, { folder, env })
      outputs.push(stdout, stderr)
      if (code !== 0) throw new Error(`${words.join(' ')}: ${code}\n${stdout}${stderr}\n${readFileSync(file, 'utf8')}`)
      return stdout
    },
    async close() {
      for (const clean of cleaning) await clean()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function drift(
  emulator: TestEmulator,
  { object, drift: which, isRemoval }: { readonly object: number; readonly drift: number; readonly isRemoval: boolean },
) {
  const bodies = await bodiesOf(emulator)
  const account = (await emulator.objects()).flatMap(({ id, provider, kind }): readonly AccountObject[] => {
    const body = bodies.get(id)
    return isObject(body) ? [{ id, provider, kind, body }] : []
  })
  if (isRemoval) return removeUnused(emulator, account, object)
  const movable = account.flatMap((one) => {
    const drifts = driftsOf(one, account, texts)
    return drifts.length > 0 ? [{ ...one, drifts }] : []
  })
  const one = movable[object % movable.length]
  const change = one?.drifts[which % one.drifts.length]
  if (one && change) await emulator.patch(one.id, change)
}

/** Removes a whole object that no other one refers to: services refuse to remove what is in use. */
async function removeUnused(emulator: TestEmulator, account: readonly AccountObject[], which: number) {
  const isUsed = ({ id }: AccountObject) => account.some((other) => other.id !== id && wordsIn(other.body).includes(id))
  const unused = account.filter((one) => !isUsed(one))
  const one = unused[which % unused.length]
  if (one) await emulator.remove(one.id)
}
