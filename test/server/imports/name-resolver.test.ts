// Resolution of host names: names that are never answered delay nobody else and leave nothing behind; names that only the
// operating system knows are found.
import { createHook } from 'node:async_hooks'
import { setMaxListeners } from 'node:events'
import t, { type Test } from 'tap'
import { systemClock } from '../../../core/ports/clock.js'
import { nameResolver } from '../../../server/imports/name-resolver.js'
import { SystemLookups } from '../../../server/imports/system-lookups.js'
import { parseAddressRange } from '../../../server/settings/addresses.js'
import { sendEvent } from '../../../server/webhooks/send-event.js'
import { startReceiver } from '../webhooks/support/receiver.js'
import { startNameServer } from './support/name-server.js'
import { httpSource, importFrom, refuses } from './support/source.js'

const unknownName = Object.assign(new Error('unknown'), { code: 'ENOTFOUND' })
const hanging = () => new Promise<never>(() => {})

/** Starts a name server; the operating system does what `lookUp` says. */
async function resolving(t: Test, lookUp: (hostname: string) => Promise<readonly string[]>, ipv4?: string) {
  const servers = await startNameServer(t, ipv4)
  const lookedUp: string[] = []
  const system = new SystemLookups((hostname) => {
    lookedUp.push(hostname)
    return lookUp(hostname)
  })
  return { servers, system, lookedUp, resolve: nameResolver({ servers: [servers.address], system }) }
}

const noLookup = async () => {
  throw unknownName
}

/** Queries of this process that have not ended, by the id of their resource. */
const queries = new Set<number>()
const watching = createHook({
  init: (id, type) => void (type === 'QUERYWRAP' && queries.add(id)),
  after: (id) => void queries.delete(id),
}).enable()
t.teardown(() => watching.disable())

const accountOf = (name: string) => [{ name, weight: 1 }]

t.test('a dozen names that are never answered delay no import and no delivery of another tenant', async (t) => {
  const { resolve, servers, lookedUp, system } = await resolving(t, noLookup)
  const source = await httpSource(t, (_request, response) => response.end('%PDF'))
  const receiver = await startReceiver(t)
  const leaving = new AbortController()
  const { signal } = leaving
  setMaxListeners(24, signal)
  const dead = Array.from({ length: 12 }, (_, index) =>
    importFrom(`http://dead${index}.example:${source.port}/`, { resolve, signal, tenant: 'mallory' }),
  )
  const ended = Promise.allSettled(dead)
  await servers.until(24, (asked) => asked.startsWith('dead'))
  t.equal(await importFrom(`http://good.example:${source.port}/`, { resolve, tenant: 'acme' }), '%PDF')
  const timeouts = { connectMs: 60_000, idleMs: 60_000, totalMs: 60_000, bytesPerSecondMin: 0 }
  const facts = await sendEvent(
    { url: receiver.url.replace('127.0.0.1', 'good.example'), message: { method: 'POST', headers: {} } },
    {
      policy: { schemes: ['http:'], allowed: [parseAddressRange('127.0.0.1/32')] },
      network: { resolve, timeouts },
      clock: systemClock,
      account: accountOf('acme'),
      stopping: new AbortController().signal,
    },
  )
  t.match(facts, { statusCode: 204, error: null })
  t.equal(queries.size, 24, 'the dozen waits')
  leaving.abort()
  for (const { status } of await ended) t.equal(status, 'rejected')
  t.equal(queries.size, 0, 'nothing is left waiting')
  t.same([lookedUp, system.waiting], [[], 0], 'the system is not asked for a name that was not answered')
})

t.test('a name that is not answered in time is given up with its queries', async (t) => {
  const { resolve, lookedUp } = await resolving(t, noLookup)
  const work = importFrom('http://dead.example/', { resolve, timeouts: { connectMs: 100 } })
  await refuses(t, work, 'UpstreamFailed', /did not respond/)
  await new Promise(setImmediate)
  t.equal(queries.size, 0)
  t.same(lookedUp, [])
})

t.test('what only the system knows is found, also behind a search domain', async (t) => {
  const { resolve, lookedUp } = await resolving(t, async () => ['127.0.0.1'])
  const source = await httpSource(t, (_request, response) => response.end('%PDF'))
  for (const host of ['minio', 'minio.', 'files.internal']) {
    t.equal(await importFrom(`http://${host}:${source.port}/`, { resolve }), '%PDF', host)
  }
  t.equal(await importFrom(`http://localhost:${source.port}/`, { resolve }), '%PDF')
  t.same(lookedUp, ['minio', 'minio.', 'files.internal'])
})

t.test(
  'a lookup of the system that hangs delays only others of that kind, which leave when they are given up',
  async (t) => {
    const { resolve, servers, lookedUp, system } = await resolving(t, hanging)
    const source = await httpSource(t, (_request, response) => response.end('%PDF'))
    const leaving = new AbortController()
    setMaxListeners(24, leaving.signal)
    const lost = Array.from({ length: 12 }, (_, index) =>
      importFrom(`http://nx${index}.example/`, { resolve, signal: leaving.signal, tenant: 'mallory' }),
    )
    const ended = Promise.allSettled(lost)
    await servers.until(24, (asked) => asked.startsWith('nx'))
    t.equal(await importFrom(`http://good.example:${source.port}/`, { resolve, tenant: 'acme' }), '%PDF')
    leaving.abort()
    await ended
    t.equal(system.waiting, 0)
    t.ok(lookedUp.length <= 1, 'one at a time')
  },
)

t.test('lookups of the system take turns between tenants, and a queue has an end', async (t) => {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const system = new SystemLookups((hostname) => {
    begun.push(hostname)
    return new Promise((resolve) => ends.push(() => resolve([hostname])))
  })
  const { signal } = new AbortController()
  setMaxListeners(0, signal)
  const ask = (tenant: string, hostname: string) => system.resolve(hostname, { account: accountOf(tenant), signal })
  const first = ask('mallory', 'm0')
  const others = Array.from({ length: 600 }, (_, index) => ask('mallory', `m${index + 1}`).catch(() => 'refused'))
  const acme = ask('acme', 'a')
  t.ok(system.waiting < 600)
  ends.shift()?.()
  await first
  await new Promise(setImmediate)
  t.same(begun, ['m0', 'a'], 'the other tenant is next')
  ends.shift()?.()
  t.same(await acme, ['a'])
  const timer = setInterval(() => ends.shift()?.(), 0)
  t.ok((await Promise.all(others)).includes('refused'))
  clearInterval(timer)
  t.equal(system.waiting, 0)
})

t.test('names have both families, a dot of the root zone, and letters of every script', async (t) => {
  const { resolve, servers } = await resolving(t, noLookup)
  const source = await httpSource(t, (_request, response) => response.end('%PDF'))
  for (const host of ['good.example.', 'four.example', 'good.bücher.example']) {
    t.equal(await importFrom(`http://${host}:${source.port}/`, { resolve }), '%PDF', host)
  }
  t.ok(servers.asked.includes('good.xn--bcher-kva.example AAAA'))
  t.ok(servers.asked.includes('good.xn--bcher-kva.example A'))
})

t.test('an answered address is checked as before, and an impossible name is like an unknown one', async (t) => {
  const { resolve, servers } = await resolving(t, noLookup, '10.0.0.1')
  const says = /not at an address/
  for (const host of ['good.example', 'nx.example', `${'x'.repeat(70)}.example`]) {
    await refuses(t, importFrom(`http://${host}/`, { resolve }), 'ImportRefused', says, host)
  }
  const count = servers.asked.length
  await refuses(t, importFrom('http://10.0.0.1/', { resolve }), 'ImportRefused', says)
  t.equal(servers.asked.length, count, 'a literal address is not asked for')
})
