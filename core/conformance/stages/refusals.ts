// Checks handlers and client without the engine: the addresses of calls, and the classes of refusals. The engine is
// rarely refused, so without this check a wrong class would appear only in an actual failure.
import assert from 'node:assert/strict'
import { Connections } from '../../plan/connections.js'
import { splitParts } from '../../plan/observation.js'
import { KnownOutputs } from '../../plan/outputs.js'
import type { Action, Change } from '../../plan/plan.js'
import { observe } from '../../plan/refresh.js'
import { resolveLeaf } from '../../plan/values.js'
import { ApiFailure, type FailureClass, isFailure } from '../../plugin/failure.js'
import type { Call, Handler } from '../../plugin/handler.js'
import { HttpFailure } from '../../ports/http.js'
import { systemRandom } from '../../ports/random.js'
import { parseAddress } from '../../value/address.js'
import type { Tree } from '../../value/tree.js'
import { expectDone } from '../expect.js'
import { expectNone } from '../findings.js'
import { labelOf, objectsOf } from '../handled-objects.js'
import { type Stage, stage } from '../stage.js'
import type { Subject } from '../subject.js'
import type { World } from '../world.js'

const elsewhere = 'http://emulator.invalid'

export function refusalStages(subject: Subject): readonly Stage[] {
  return [...setupStages(subject), ...failureStages(subject)]
}

/** Returns the stages that check which account calls reach, and whether the subject has enough edits. */
function setupStages({ project: version, edits, provider }: Subject): readonly Stage[] {
  return [
    stage('with an emulator, no call goes anywhere else', async (world) => {
      const engine = await world.engine(version, world.begin())
      const origins: string[] = []
      const client = provider.connect(new Connections(engine).configuration(provider.name), {
        http: async ({ url }) => {
          origins.push(URL.parse(url)?.origin ?? url)
          throw new HttpFailure('nobody is there', false)
        },
        clock: { now: () => Date.now(), sleep: async () => {} },
        random: systemRandom,
        emulatorUrl: elsewhere,
      })
      const call: Call<unknown> = {
        client,
        signal: new AbortController().signal,
        content: () => Promise.reject(new Error('not asked for')),
        report: () => {},
      }
      for (const handler of provider.handlers) if (!handler.isStateOnly) await refused(() => handler.read(call, 'id_1'))
      assert.deepEqual([...new Set(origins)], [elsewhere], 'connect heeds emulatorUrl')
    }),

    stage('one edit replaces an object, and one renames a resource', async (world) => {
      expectDone(await world.apply({ version }))
      const plans: (readonly Change[])[] = []
      for (const edit of Object.values(edits)) plans.push((await world.plan({ version: edit })).changes)
      const has = (changes: readonly Change[], action: Action) => changes.some((change) => change.action === action)
      const lacking = [
        plans.some((changes) => has(changes, 'replace')) ? [] : ['one that changes what cannot be changed in place'],
        plans.some((changes) => has(changes, 'create') && has(changes, 'remove'))
          ? []
          : ['one that renames a resource'],
      ]
      expectNone(lacking.flat(), 'the edits of the subject lack')
    }),
  ]
}

function failureStages({ project: version, provider }: Subject): readonly Stage[] {
  return [
    stage('overload and failures of a service are temporary', async () => {
      const wrong = bodies.flatMap((body) =>
        Object.entries(temporary).flatMap(([status, wanted]) => {
          const actual = provider.classify({
            method: 'GET',
            path: '/',
            status: Number(status),
            headers: new Headers(),
            body,
          }).class
          const line = `${status} with ${JSON.stringify(body) ?? 'no body'} is ${actual}, not ${wanted}`
          return actual === wanted ? [] : [line]
        }),
      )
      expectNone(wrong, '`classify` is right about what every service answers')
    }),

    stage('what was removed is gone', async (world) => {
      expectDone(await world.apply({ version }))
      const current = await objectsOf(world, version)
      await world.apply({ version, mode: 'destroy' }) // Another stage checks that everything is removed.
      const wrong: string[] = []
      for (const { id, handler, call } of current.filter(({ handler }) => handler.removal !== 'forget')) {
        const failure = await refused(() => handler.read(call, id))
        if (failure && !isFailure(failure, 'gone')) wrong.push(`${labelOf(handler)}.read of ${id}: ${lineOf(failure)}`)
      }
      expectNone(wrong, '`classify` calls what is not found gone')
    }),

    stage('what is refused is refused for what it is: name taken, in use, changed meanwhile', async (world) => {
      expectDone(await world.apply({ version }))
      for (const operation of ['update', 'create', 'remove'] as const) await expectClasses(world, operation)
    }),
  ]
}

const temporary: Readonly<Record<string, FailureClass>> = { 429: 'retry', 500: 'retry', 502: 'retry', 503: 'retry' }
const bodies = [undefined, {}, '<html>Bad gateway</html>']

const meanings: Readonly<Record<'update' | 'create' | 'remove', FailureClass>> = {
  update: 'stale',
  create: 'nameTaken',
  remove: 'inUse',
}

/** Repeats every call against existing objects. A service must either accept it or refuse it with 409 or 412. */
async function expectClasses(world: World, request: 'update' | 'create' | 'remove'): Promise<void> {
  const { project: version } = world.subject
  const engine = await world.engine(version, world.begin())
  const connections = new Connections(engine)
  const { changes } = await world.plan({ version })
  const rows = await world.rows(version)
  const values = new KnownOutputs(engine.project.variables, rows)
  for (const { address, row, resource } of changes) {
    const { provider, kind } = parseAddress(address)
    if (!resource || row?.id == null || row.ownership === 'external' || resource.handler.isStateOnly) continue
    const handler = connections.handler(provider, kind, row.api)
    const { id } = row
    const call = connections.call(provider, new AbortController().signal)
    const found = await observe(handler, call, id)
    const resolved = resolveLeaf(resource.desired, values)
    if (found.type !== 'present' || resolved.type !== 'known') continue
    const { own, parts } = splitParts(handler, resolved.value as Tree)
    const { sources } = resource.declaration
    const expectClass = async (attempt: () => Promise<unknown>) => {
      const failure = await refused(attempt)
      if (failure instanceof assert.AssertionError) throw failure
      if (!(failure instanceof ApiFailure) || (failure.status !== 409 && failure.status !== 412)) return
      const written = `${failure.status} ${failure.code ?? ''} (${failure.message})`
      const because = `classify calls ${written} ${failure.class}; ${request} of ${address} says that it is ${meanings[request]}`
      assert.equal(failure.class, meanings[request], because)
    }
    if (request === 'create') {
      await expectClass(async () => {
        if (handler.replace === 'deleteFirst' && handler.makeWay) throw needsNoGap(handler)
        await handler.create(call, { desired: own, sources, nonce: systemRandom.uuid() })
        if (handler.replace === 'deleteFirst') throw needsNoGap(handler)
      })
      for (const [key, desired] of parts)
        await expectClass(async () => handler.parts?.create(call, id, { key, desired }))
    }
    if (request === 'remove') await expectClass(() => handler.remove(call, id))
    const { update } = handler
    if (request !== 'update' || !update) continue
    const { observed, remote } = found
    const again = () => update.call(handler, call, { id, desired: own, observed, remote, changes: [], sources })
    // The second update names the version from before the first one.
    for (let time = 1; time <= 2; time++) await expectClass(again)
  }
}

/** Returns the finding that a replacement need not remove the object before it makes the next one. */
function needsNoGap(handler: Handler): assert.AssertionError {
  const because = handler.makeWay ? '`makeWay` frees its name' : 'the service takes a second one beside it'
  return new assert.AssertionError({
    message: `${labelOf(handler)}.replace: 'deleteFirst' leaves a time without the object, and ${because}: 'createFirst'`,
  })
}

function lineOf(failure: unknown): string {
  if (failure instanceof ApiFailure) return `${failure.status} is called ${failure.class}: look at classify`
  return failure instanceof Error ? failure.message : String(failure)
}

async function refused(attempt: () => Promise<unknown>): Promise<unknown> {
  try {
    await attempt()
    return undefined
  } catch (error) {
    return error
  }
}
