// `--processes`: several processes answer on one address and one embedded store; what one answers, every other one knows, also
// after one of them was killed.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { agents, program } from '../cli/program.js'
import { scratchFolder } from '../cli/scratch.js'
import { needsPostgres, PostgresServer } from '../support/engines/postgres.js'
import { needsRedis, startRedis } from '../support/engines/redis.js'
import { onePage } from '../support/pdf/raw-pdf.js'
import { change, changesIn } from './changes/support/changing.js'
import { Client } from './support/client.js'
import { EventReader } from './support/events.js'
import { done, makers } from './support/running-server.js'

t.setTimeout(580_000)

const bothEngines = { skip: needsPostgres.skip || needsRedis().skip }

const folder = scratchFolder(t, 'data')

async function start(t: Pick<Test, 'teardown'>, data: string, more: readonly string[] = []) {
  const flags = ['serve', '--port', '0', '--data', data, '--processes', '3', '--threads', '1', '--json', ...more]
  const server = spawn(process.execPath, [program, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => server.kill('SIGKILL'))
  let logged = ''
  server.stderr.on('data', (chunk) => {
    logged += String(chunk)
  })
  const [line] = await once(server.stdout, 'data')
  const { url, apiToken } = JSON.parse(String(line))
  if (url === undefined) throw new Error(`The server did not start: ${line}${logged}`)
  return { server, api: new Client(url, apiToken), logged: () => logged }
}

const { server, api, logged } = await start(t, folder)

/** Ids of the processes that answer requests. */
const children = () =>
  execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)])
    .toString()
    .split(/\s+/)
    .filter(Boolean)
    .map(Number)

/** True when three processes answer; the question itself may reach one that was just killed. */
const areThere = async (): Promise<boolean> => {
  const answer = await api.get('/metrics', { connection: 'close' }).catch(() => undefined)
  return /^steward_processes 3$/m.test(answer?.text ?? '')
}

/** Returns the status, or why there was no answer. */
const askOnNewConnection = () =>
  new Promise<number | string | undefined>((settle) => {
    const request = get(`${api.url}/healthz`, { agent: false }, (answer) => settle(answer.resume().statusCode))
    request.on('error', ({ message }) => settle(message))
  })

/** What the server said of its processes, for the message of a failure. */
const notices = () =>
  logged()
    .match(/^Process .*$/gm)
    ?.join(' ') ?? ''

const set = (docId: string, number: number) =>
  change(
    api,
    { docId },
    { opId: `op-${number}`, ops: [{ type: 'metadata.updateCustom', patch: { [`k${number}`]: 'x' } }] },
  )

t.test('concurrent changes through all processes are applied once each', async (t) => {
  t.equal(children().length, 3)
  const docId = await makers(api).upload(onePage('0 0 9 9 re f'))
  const reader = await EventReader.open(api, `/v1/docs/${docId}/layers/default/events`)
  const answers = await Promise.all(Array.from({ length: 24 }, (_, number) => set(docId, number)))
  t.same(new Set(answers.map((answer) => changesIn(answer)[0]?.status)), new Set(['applied']))
  const events = await reader.take(24)
  await reader.close()
  t.equal(new Set(events.map(({ data }) => data['idempotencyKey'])).size, 24, 'a reader receives each of them once')
  const custom = Object((await api.get(`/v1/docs/${docId}/layers/default/metadata/custom`)).json())
  t.equal(Object.keys(custom).length, 24)
})

t.test('readers of a layer know each other, whichever process they came to', async (t) => {
  const docId = await makers(api).upload(onePage('0 0 9 9 re f'))
  const subs = Array.from({ length: 9 }, (_, number) => `reader-${number}`)
  const readers = await Promise.all(
    subs.map(async (sub) => {
      const client = new Client(
        api.url,
        await makers(api).documentToken(docId, ['doc.open', 'doc.annotate.read'], { sub }),
      )
      return EventReader.open(client, `/v1/docs/${docId}/layers/default/events?presence=true`)
    }),
  )
  for (const reader of readers) {
    for (;;) {
      const [event] = await reader.take(1)
      if (event?.data['count'] !== subs.length) continue
      const known = event.data['readers'] as readonly { readonly sub: string }[]
      t.same(known.map(({ sub }) => sub).toSorted(), subs)
      break
    }
    await reader.close()
  }
})

t.test('processes share two areas of memory instead of one for each thread', async (t) => {
  for (const pid of children()) t.match(readFileSync(`/proc/${pid}/environ`, 'latin1'), /\0MALLOC_ARENA_MAX=2\0/)
})

t.test('leases leave no listeners behind', async (t) => {
  const { upload } = makers(api)
  // Removing the files of a document takes a lease; a process that has 11 listeners to one signal warns.
  for (let number = 0; number < 48; number++) {
    const docId = await upload(onePage(`0 0 ${number} 9 re f`))
    done(await api.delete(`/v1/tenants/acme/documents/${docId}`))
  }
  await sleep(1000)
  t.notMatch(logged(), /Warning/)
})

t.test('one scrape of the metrics shows all processes, whichever is asked', async (t) => {
  const countIn = (text: string) =>
    Number(/^steward_request_duration_seconds_count\{operation="tenants.list".*\} (\d+)$/m.exec(text)?.[1] ?? 0)
  // Every request opens a connection of its own, so that all processes are asked.
  const once = (path: string) => api.get(path, { connection: 'close' })
  for (let number = 0; number < 12; number++) done(await once('/v1/tenants'))
  for (let number = 0; number < 6; number++) {
    const { text } = done(await once('/metrics'))
    t.equal(countIn(text), 12)
    t.match(text, /^steward_processes 3$/m)
    t.match(text, /^steward_pool_threads 3$/m)
    t.match(text, /^steward_leases_shared 1$/m)
  }
})

t.test('a killed process is started again, and nothing that was answered is lost', async (t) => {
  const docId = await makers(api).upload(onePage('0 0 8 8 re f'))
  done(await set(docId, 1))
  const before = children()
  process.kill(before[0] ?? 0, 'SIGKILL')
  for (let number = 2; number < 12; number++) {
    // A connection to the killed process breaks; the same request is sent again.
    for (let attempt = 0; attempt < 50; attempt++) {
      const answer = await set(docId, number).catch(() => undefined)
      if (answer?.status === 200 && changesIn(answer)[0]?.status === 'applied') break
      await sleep(100)
    }
  }
  const custom = Object((await api.get(`/v1/docs/${docId}/layers/default/metadata/custom`)).json())
  t.equal(Object.keys(custom).length, 11)
  for (let attempt = 0; !(await areThere()) && attempt < 600; attempt++) await sleep(100)
  t.ok(await areThere(), notices())
  t.equal(notices(), 'Process 0 of the server ended; it is started again.', 'its replacement stays')
  t.notSame(children(), before)
  t.match((await api.get('/metrics')).text, /^steward_process_restarts_total [1-9]/m)
})

t.test('a process that hangs is ended and replaced, and its requests are answered', async (t) => {
  const before = children()
  const [hung = 0] = before
  process.kill(hung, 'SIGSTOP')
  const asked = Promise.all(Array.from({ length: 6 }, askOnNewConnection))
  const isReplaced = async () => !children().includes(hung) && (await areThere())
  for (let attempt = 0; !(await isReplaced()) && attempt < 1200; attempt++) await sleep(100)
  t.notOk(children().includes(hung))
  t.ok(await areThere(), notices())
  t.same(new Set(await asked), new Set([200]), 'what it had not taken goes to the others')
  done(await api.get('/readyz', { connection: 'close' }))
})

t.test('requests do not wait for a process that was killed', async (t) => {
  let unanswered = 0
  for (let round = 0; round < 4; round++) {
    process.kill(children()[0] ?? 0, 'SIGKILL')
    const asked = Array.from({ length: 8 }, () =>
      fetch(`${api.url}/healthz`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(10_000) }).then(
        ({ status }) => status,
        ({ name }: Error) => name,
      ),
    )
    for (const outcome of await Promise.all(asked)) if (outcome === 'TimeoutError') unanswered += 1
    for (let attempt = 0; !(await areThere()) && attempt < 300; attempt++) await sleep(100)
  }
  // Without the hand-over one waits each time. On a busy machine the cluster of Node still loses one now and then.
  t.ok(unanswered < 4, `${unanswered} of 32`)
})

t.test('a server whose processes cannot start says why, and ends', async (t) => {
  const words = ['serve', '--port', new URL(api.url).port, '--data', scratchFolder(t, 'second'), '--processes', '2']
  const { code, stdout, stderr } = await agents(words, { folder })
  t.equal(code, 1, stdout)
  t.match(stderr, /serve\.address-in-use/)
  t.match(stderr, /serve\.process-ended/)
  const database = await agents(['serve', '--store', 'postgres://db/steward', '--processes', '2'], { folder })
  t.match(database.stderr, /serve\.no-coordination/)
})

t.test('on a database without --blobs all processes have the same files', bothEngines, async (t) => {
  const [store, redis] = [(await PostgresServer.start(t)).address(), (await startRedis(t)).address]
  const { server, api } = await start(t, scratchFolder(t, 'shared'), ['--store', store, '--redis', redis])
  const once = (path: string) => api.get(path, { connection: 'close' })
  const docId = await makers(api).upload(onePage('0 0 7 7 re f'))
  for (let number = 0; number < 9; number++) done(await once(`/v1/docs/${docId}/layers/default/download`))
  server.kill('SIGTERM')
})

t.test('SIGTERM ends all processes, and the data is whole', async (t) => {
  const all = children()
  server.kill('SIGTERM')
  const [code] = await once(server, 'exit')
  t.equal(code, 0)
  for (const pid of all) t.throws(() => process.kill(pid, 0), `process ${pid} has ended`)
  const check = execFileSync(process.execPath, [program, 'serve', '--check', '--data', folder]).toString()
  t.match(check, /\S/)
})
