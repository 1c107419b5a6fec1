// The memory store that Qoder creates for a forward agent and its identity: named, kept or deleted as declared.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import type { Version } from '../../../core/conformance/subject.js'
import { effectiveChanges, type World } from '../../../core/conformance/world.js'
import { connect } from '../../../plugins/qoder/client.js'
import { deleteMountedStore } from '../../../plugins/qoder/forward/mounted-store.js'
import { emulate } from '../../cli/emulator.js'
import { agentsHere } from '../../cli/in-process.js'
import { scratchFolder } from '../../cli/scratch.js'
import { call, deleted, failures, files, forward, idOf, kept, left, opened, startSession, text } from './front-desk.js'
import { forwardPrefix, managedPrefix } from './subject.js'

t.test(
  '2.12 the default store waits for a session, is then named, and is kept by a destroy unless declared otherwise',
  async (t) => {
    const world = await opened(t)
    const version = { text: text(forward + kept('')), files }
    const first = await world.apply({ version })
    t.match(failures(first), [
      { address: 'qoder.default_memory_store.front', status: 'waiting', codes: ['apply.not-yet'] },
    ])
    const waiting = ['qoder.default_memory_store.front: waiting, recorded, no leaf']
    t.same(effectiveChanges(await world.plan({ version })), waiting, 'only waiting resources')
    await world.apply({ version })
    t.same(effectiveChanges(await world.plan({ version })), waiting)
    await startSession(world, version)
    t.same(failures(await world.apply({ version })), [])
    t.same(effectiveChanges(await world.plan({ version })), [])
    const id = await idOf(world, version, 'default_memory_store.front')
    const path = `${forwardPrefix}/memory_stores/${id}`
    t.match(await call(world, 'GET', path), { name: 'Notes of the team', description: 'Kept', system_managed: true })
    await call(world, 'POST', path, { name: 'By hand' })
    t.match(effectiveChanges(await world.plan({ version })), [/default_memory_store\.front: update, drift/])
    await world.apply({ version })
    t.match(await call(world, 'GET', path), { name: 'Notes of the team' })
    t.same(failures(await world.apply({ version, mode: 'destroy' })), [])
    t.match(await call(world, 'GET', `${managedPrefix}/memory_stores/${id}`), { id, archived_at: null })
  },
)

t.test('2.12 a store is deleted after template and identity, once the service has unmounted it', async (t) => {
  const world = await opened(t)
  const version = { text: text(forward + deleted), files }
  await world.apply({ version })
  await startSession(world, version)
  await world.apply({ version })
  t.same(effectiveChanges(await world.plan({ version })), [])
  t.same(failures(await world.apply({ version, mode: 'destroy' })), [])
  t.same(await left(world), [])
})

t.test('2.12 a store created since the last apply is recorded before anything is removed', async (t) => {
  const world = await opened(t)
  const version = { text: text(forward + deleted), files }
  await world.apply({ version })
  await startSession(world, version)
  t.same(failures(await world.apply({ version, mode: 'destroy' })), [])
  t.same(await left(world), [])
})

t.test('2.12 without a session there is nothing to delete', async (t) => {
  const world = await opened(t)
  const version = { text: text(forward + deleted), files }
  await world.apply({ version })
  t.same(failures(await world.apply({ version, mode: 'destroy' })), [])
  t.equal((await world.rows(version)).size, 0)
})

t.test(
  '2.12 a destroy that was interrupted after the template was removed continues, and leaves nothing',
  async (t) => {
    for (const path of [/templates\/[^/]+\/archive$/, /identities\/[^/]+$/]) {
      const world = await opened(t)
      const version = { text: text(forward + deleted), files }
      await world.apply({ version })
      let isCut = false
      const cut = ({ request: { method, url } }: Sent) => {
        const isHere = method !== 'GET' && path.test(new URL(url).pathname)
        const fate = isCut ? 'unreachable' : 'answered'
        isCut ||= isHere
        return fate
      }
      t.not(failures(await world.apply({ version, mode: 'destroy', fate: cut })).length, 0)
      const run = await world.apply({ version, mode: 'destroy' })
      t.same(failures(run), [])
      t.same(
        run.outcomes.flatMap(({ diagnostics }) => diagnostics),
        [],
      )
      t.equal((await world.rows(version)).size, 0)
      t.same(await left(world), [])
    }
  },
)

t.test('2.12 objects removed elsewhere do not stop a destroy, and a store that may remain is reported', async (t) => {
  for (const [kind, remove] of [
    ['agent.front', (world: World, id: string) => call(world, 'POST', `${forwardPrefix}/templates/${id}/archive`, {})],
    ['identity.everyone', (world: World, id: string) => call(world, 'DELETE', `${forwardPrefix}/identities/${id}`)],
  ] as const) {
    const world = await opened(t)
    const version = { text: text(forward + deleted), files }
    await world.apply({ version })
    await startSession(world, version)
    await remove(world, await idOf(world, version, kind))
    const run = await world.apply({ version, mode: 'destroy' })
    t.same(failures(run), [], kind)
    t.match(
      run.outcomes.flatMap(({ diagnostics }) => diagnostics),
      [{ code: 'qoder.default-memory-unknown', address: 'qoder.default_memory_store.front' }],
    )
    t.equal((await world.rows(version)).size, 0)
  }
})

t.test('2.12 a destroy whose lookup fails removes nothing', async (t) => {
  const world = await opened(t)
  const version = { text: text(forward + deleted), files }
  await world.apply({ version })
  await startSession(world, version)
  const rows = (await world.rows(version)).size
  let inspected = false
  const fate = ({ request }: { readonly request: { readonly method: string; readonly url: string } }) => {
    const isLookup = /identities\/[^/]+\/templates\/[^/]+\/memory_stores$/.test(request.url)
    inspected ||= isLookup
    return isLookup && request.method === 'GET' ? ('unreachable' as const) : ('answered' as const)
  }
  await t.rejects(world.run({ version, mode: 'destroy', fate }))
  t.equal(inspected, true)
  t.equal((await world.rows(version)).size, rows)
})

t.test('2.12 a store that cannot be deleted yet stays in state, and a later destroy continues with it', async (t) => {
  const world = await opened(t)
  const version = { text: text(forward + deleted), files }
  await world.apply({ version })
  await startSession(world, version)
  await world.apply({ version })
  await call(world, 'PUT', '/_emulator/knobs', { qoder: { unmountAfter: 1_000 } })
  const refuse = ({ request }: { readonly request: { readonly method: string; readonly url: string } }) =>
    request.method === 'POST' && /memory_stores\/[^/]+\/archive$/.test(request.url)
      ? ('fails before' as const)
      : ('answered' as const)
  const partial = await world.apply({ version, mode: 'destroy', fate: refuse })
  t.match(failures(partial), [{ address: 'qoder.default_memory_store.front', status: 'failed' }])
  t.same([...(await world.rows(version)).keys()], ['qoder.default_memory_store.front'])
  const undeclared = { text: 'version: "1"\nproviders: { qoder: { api_key: "${QODER_KEY}" } }\n' }
  t.same(failures(await world.apply({ version: undeclared, mode: 'destroy' })), [], 'declared or not')
  t.equal((await world.rows(undeclared)).size, 0)
  t.same(await left(world), [])
})

interface Sent {
  readonly request: { readonly method: string; readonly url: string }
}

/** Every request sent to either API, as `POST /templates/tmpl_1/archive`. */
function recorder() {
  const calls: string[] = []
  const fate = ({ request: { method, url } }: Sent) => {
    calls.push(`${method} ${new URL(url).pathname.replace(managedPrefix, '').replace(forwardPrefix, '')}`)
    return 'answered' as const
  }
  return { calls, fate }
}

const without = (version: Version) => ({ ...version, text: version.text.replace(/^agents:\n[\s\S]*/m, '') })
const storeOf = (world: World, id: string) => call(world, 'GET', `${managedPrefix}/memory_stores/${id}`)

/** Applies, starts a session, and applies again, which finds the store that the session created. */
async function inUse(t: Test, version: Version): Promise<{ readonly world: World; readonly id: string }> {
  const world = await opened(t)
  await world.apply({ version })
  await startSession(world, version)
  t.same(failures(await world.apply({ version })), [])
  return { world, id: await idOf(world, version, 'default_memory_store.front') }
}

t.test(
  '2.12 an agent that is removed from the file is removed with its store, if the declaration requests that',
  async (t) => {
    const version = { text: text(forward + deleted), files }
    const { world, id } = await inUse(t, version)
    const { calls, fate } = recorder()
    t.same(failures(await world.apply({ version: without(version), fate })), [])
    const archived = calls.findIndex((line) => /^POST \/templates\/[^/]+\/archive$/.test(line))
    t.ok(archived >= 0 && calls.indexOf(`DELETE /memory_stores/${id}`) > archived, 'after its template')
    await t.rejects(storeOf(world, id))
    t.equal((await world.rows(version)).has('qoder.default_memory_store.front'), false)
  },
)

t.test('2.12 an apply that removes the agent captures a store that is not recorded yet', async (t) => {
  const world = await opened(t)
  const version = { text: text(forward + deleted), files }
  await world.apply({ version })
  await startSession(world, version)
  t.same(failures(await world.apply({ version: without(version) })), [])
  t.notMatch(await left(world), [/memory_store .*/])
})

t.test('2.12 an apply whose lookup fails changes nothing at all', async (t) => {
  const world = await opened(t)
  const version = { text: text(forward + deleted), files }
  await world.apply({ version })
  await startSession(world, version)
  const next = { ...version, text: `${without(version).text}agents:\n  new: { model: auto, instructions: Be new. }\n` }
  const writes: string[] = []
  const fate = ({ request: { method, url } }: Sent) => {
    if (method !== 'GET') writes.push(`${method} ${url}`)
    return /templates\/[^/]+\/memory_stores$/.test(url) && method === 'GET' ? 'unreachable' : 'answered'
  }
  await t.rejects(world.run({ version: next, fate }))
  t.same(writes, [])
})

t.test('2.12 a store that is no longer declared is released while its agent stays', async (t) => {
  const { world, id } = await inUse(t, { text: text(forward + deleted), files })
  const version = { text: text(forward), files }
  t.match(effectiveChanges(await world.plan({ version })), [/^qoder\.default_memory_store\.front: forget/])
  t.same(failures(await world.apply({ version })), [])
  t.match(await storeOf(world, id), { archived_at: null })
  t.same(effectiveChanges(await world.plan({ version })), [])
})

t.test('2.12 the store of a former default identity is kept while identity and template exist', async (t) => {
  const version = { text: text(forward + deleted), files }
  const { world, id } = await inUse(t, version)
  const switched = {
    ...version,
    text: version.text
      .replace('identity: everyone', 'identity: nobody')
      .replace('identities:', 'identities:\n  nobody: { external_id: none }'),
  }
  await world.apply({ version: switched })
  const identity_id = await idOf(world, switched, 'identity.nobody')
  const template_id = await idOf(world, switched, 'agent.front')
  await call(world, 'POST', `${forwardPrefix}/sessions`, { identity_id, template_id })
  const run = await world.apply({ version: switched })
  t.same(failures(run), [])
  t.match(
    run.outcomes.flatMap(({ diagnostics }) => diagnostics),
    [{ code: 'qoder.default-memory-kept' }],
  )
  t.match(await storeOf(world, id), { archived_at: null })
  t.not(await idOf(world, switched, 'default_memory_store.front'), id)
  t.same(effectiveChanges(await world.plan({ version: switched })), [])
})

t.test('2.12 an agent that moves to the managed API loses its store after its template', async (t) => {
  const shared = (more: string) => text(more).replace('[notes, rules]', '[notes]')
  const { world, id } = await inUse(t, { text: shared(forward + deleted), files })
  const version = { text: shared(''), files }
  t.same(failures(await world.apply({ version })), [])
  await t.rejects(storeOf(world, id))
  t.same(effectiveChanges(await world.plan({ version })), [])
})

t.test('2.12 a persistent mount is polled a few times; then the store is archived and deleted', async (t) => {
  const version = { text: text(forward + deleted), files }
  const { world, id } = await inUse(t, version)
  await call(world, 'PUT', '/_emulator/knobs', { qoder: { unmountAfter: 1_000 } })
  const { calls, fate } = recorder()
  const ended = await world.apply({ version, mode: 'destroy', fate })
  const about = calls.filter((line) => line.includes(`/memory_stores/${id}`) && !line.startsWith('GET'))
  t.same(about.slice(0, 7), [
    ...Array.from({ length: 5 }, () => `DELETE /memory_stores/${id}`),
    `POST /memory_stores/${id}/archive`,
    `DELETE /memory_stores/${id}`,
  ])
  t.ok(about.length <= 11, 'a bounded number of polls')
  t.same(failures(ended), [])
  await t.rejects(storeOf(world, id))
})

t.test('7.12 a deletion that is denied fails at once', async (t) => {
  const requests: string[] = []
  const client = connect(
    { api_key: 'pt-any' },
    {
      clock: {
        now: () => 0,
        sleep: async () => {
          throw new Error('nothing is waited for')
        },
      },
      random: { uuid: () => 'any', fraction: () => 0 },
      http: async ({ method, url }) => {
        requests.push(`${method} ${url}`)
        const error = { type: 'permission_error', message: 'not yours' }
        return { status: 403, headers: new Headers(), text: JSON.stringify({ type: 'error', error }) }
      },
    },
  )
  const signal = new AbortController().signal
  const work = deleteMountedStore(
    { client, signal, content: async () => ({ baseName: '', files: [] }), report: () => {} },
    'memstore_1',
  )
  await t.rejects(work, /not yours/)
  t.equal(requests.length, 1)
})

t.test('2.12 --cascade ends blocking sessions, and keeps a store declared as retained', async (t) => {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const env = { ...emulator.env, QODER_KEY: 'pt-0123456789', TOKEN: 'tok-s3cret-value' }
  const run = (words: string) => agentsHere(words.split(' '), { folder, env })
  for (const [path, content] of Object.entries({ ...files, 'agents.yaml': text(forward + kept('')) })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  await run('apply --yes')
  t.equal((await run('session create front')).code, 0, '2.11 for the default identity')
  t.equal((await run('apply --yes')).code, 0)
  const isDefault = ({ name }: { readonly name: string }) => name === 'Notes of the team'
  t.equal((await emulator.objects()).filter(isDefault).length, 1)
  const { code, stderr } = await run('destroy --yes --cascade')
  t.equal(code, 0, stderr)
  t.equal((await emulator.objects()).filter(isDefault).length, 1)
})
