// A rolling upgrade to a release with another format of rows, under edits; and a data folder that moves to that release.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { PostgresStore } from '../../server/storage/postgres/postgres-store.js'
import { versionOf } from '../../server/storage/row-formats.js'
import { program as thisRelease } from '../cli/program.js'
import { scratchFolder } from '../cli/scratch.js'
import { needsPostgres, PostgresServer } from '../support/engines/postgres.js'
import { needsRedis, startRedis } from '../support/engines/redis.js'
import { buildNextRelease } from '../support/next-release.js'
import { onePage } from '../support/pdf/raw-pdf.js'
import { change, changesIn } from './changes/support/changing.js'
import { Client } from './support/client.js'
import { done, makers } from './support/running-server.js'

t.setTimeout(580_000)

const nextRelease = join(await buildNextRelease(t, { agents: 'cli/main.ts' }), 'agents.js')
const env = {
  ...process.env,
  STEWARD_API_TOKEN: 'an-api-token-of-the-test',
  STEWARD_SIGNING_SECRET: Buffer.alloc(48, 1).toString('base64'),
  STEWARD_SEALING_KEY: Buffer.alloc(32, 2).toString('base64'),
}

interface Ended {
  readonly code: number | null
  readonly output: string
}

/** Process of a release; its output is collected. */
class Process {
  private output = ''
  readonly ended: Promise<Ended>

  private constructor(readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (this.output += String(text)))
    this.ended = once(child, 'close').then(([code]) => ({ code, output: this.output }))
  }

  static run(t: Test, program: string, words: readonly string[]): Process {
    const child = spawn(process.execPath, [program, ...words, '--json'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    t.teardown(() => child.kill('SIGKILL'))
    return new Process(child)
  }

  /** Resolves to a client when the server is ready. */
  async client(): Promise<Client> {
    const early = this.ended.then(({ output }) => Promise.reject(new Error(`The server ended: ${output}`)))
    early.catch(() => {})
    while (!/"url":"/.test(this.output)) await Promise.race([sleep(20), early])
    return new Client(/"url":"([^"]+)"/.exec(this.output)?.[1] ?? '', env.STEWARD_API_TOKEN)
  }

  async stop(): Promise<void> {
    this.child.kill('SIGTERM')
    await this.ended
  }
}

const custom = async (api: Client, docId: string) =>
  Object((await api.get(`/v1/docs/${docId}/layers/default/metadata/custom`).then(done)).json())

const skip = needsPostgres.skip || needsRedis().skip

await t.test('a rolling upgrade of servers on PostgreSQL', { skip }, async (t) => {
  const store = (await PostgresServer.start(t)).address()
  const data = scratchFolder(t, 'data')
  const { address: redis } = await startRedis(t)
  const engines = ['--store', store, '--redis', redis]
  const serveWords = ['serve', '--port', '0', '--data', data, ...engines, '--threads', '1', '--log-level', 'warn']
  const servers: { process: Process; api: Client }[] = []
  const place = async (index: number, program: string) => {
    await servers[index]?.process.stop()
    const running = Process.run(t, program, serveWords)
    servers[index] = { process: running, api: await running.client() }
  }
  const apiOf = (index: number) => servers[index % servers.length]?.api ?? Promise.reject(new Error('no server'))
  for (const index of [0, 1, 2]) await place(index, thisRelease)
  const docId = await makers(await apiOf(0)).upload(onePage('0 0 9 9 re f'))

  // Edits through all servers in turn; one that is not answered is repeated through the next server.
  let isLoaded = true
  let edits = 0
  const edit = async () => {
    const patch = { [`k${edits}`]: 'x' }
    for (let attempt = 0; ; attempt++) {
      const api = await apiOf(edits + attempt)
      const body = { opId: `op-${edits}`, ops: [{ type: 'metadata.updateCustom', patch }] }
      const answer = await change(api, { docId }, body).catch(() => undefined)
      if (answer?.status === 200) {
        t.match(changesIn(answer)[0]?.status, /applied|duplicate/)
        break
      }
      if (answer !== undefined) t.equal(answer.status, 503, answer.text)
      if (attempt > 100) throw new Error('No server answers')
      await sleep(50)
    }
    edits += 1
  }
  const load = (async () => {
    // Paced, because a document has at most 1000 custom members.
    for (; isLoaded; await sleep(100)) await edit()
  })()

  /** Versions of the rows of documents and of their public ids. */
  const versions = async () => {
    const opened = await PostgresStore.open({ address: store })
    const found = new Set<number | undefined>()
    for await (const { key, value } of opened.range({ from: Uint8Array.of(0), to: Uint8Array.of(0xff) })) {
      if (/document(-id)?\0/.test(Buffer.from(key).toString('latin1'))) found.add(versionOf(value))
      else if (versionOf(value) !== 1) found.add(versionOf(value))
    }
    await opened.close()
    return found
  }

  await place(0, nextRelease)
  await place(1, nextRelease)
  await place(1, thisRelease) // Rolled back.
  const during = await makers(await apiOf(0)).upload(onePage('0 0 8 8 re f'))
  done(await (await apiOf(1)).get(`/v1/docs/${during}/layers/default/manifest`))
  await place(1, nextRelease)
  await place(2, nextRelease)
  t.same(await versions(), new Set([1]), 'the next release writes what the release before reads')

  const stalled = Process.run(t, thisRelease, serveWords)
  await stalled.client()
  stalled.child.kill('SIGSTOP')
  const upgrade = async () => (await Process.run(t, nextRelease, ['store', 'upgrade', '--store', store]).ended).output
  t.match(await upgrade(), /"type":"store-upgraded".*"from":1,"to":2/)
  t.match(await upgrade(), /"type":"store-upgraded".*"from":2,"to":2/)
  stalled.child.kill('SIGCONT')
  const end = await stalled.ended
  t.not(end.code, 0)
  t.match(end.output, /serve\.store-newer/, 'a server of the release before ends by itself')
  const refused = await Process.run(t, thisRelease, serveWords).ended
  t.match(refused, { code: /[^0]/, output: /serve\.store-newer/ }, 'and does not start again')

  await sleep(2500) // Every server has read the new format.
  isLoaded = false
  await load
  await edit()
  t.ok((await versions()).has(2), 'rows are written in the new format')
  for (const index of [0, 1, 2]) {
    t.equal(Object.keys(await custom(await apiOf(index), docId)).length, edits, 'no edit is lost, none applied twice')
    done(await (await apiOf(index)).get(`/v1/docs/${during}/layers/default/manifest`))
  }
  for (const { process } of servers) await process.stop()

  const copy = scratchFolder(t, 'copy')
  const copied = await Process.run(t, nextRelease, ['store', 'copy', '--from', store, '--to', copy]).ended
  t.equal(copied.code, 0, copied.output)
  t.match(
    (await Process.run(t, thisRelease, ['serve', '--data', copy, '--port', '0']).ended).output,
    /serve\.data-unfit/,
  )
  const older = await Process.run(t, thisRelease, ['store', 'copy', '--from', store, '--to', `${copy}-2`]).ended
  t.match(older.output, /serve\.store-newer/, 'the release before copies nothing that it cannot read')
})

await t.test('a data folder moves to the next release when that opens it', async (t) => {
  const data = scratchFolder(t, 'data')
  const words = ['serve', '--port', '0', '--data', data, '--threads', '1', '--log-level', 'warn']
  const before = Process.run(t, thisRelease, words)
  const docId = await makers(await before.client()).upload(onePage('0 0 7 7 re f'))
  await before.stop()
  const after = Process.run(t, nextRelease, words)
  const api = await after.client()
  t.same(await custom(api, docId), {})
  done(await change(api, { docId }, { opId: 'a', ops: [{ type: 'metadata.updateCustom', patch: { a: 'b' } }] }))
  await after.stop()
  const check = await Process.run(t, nextRelease, ['serve', '--data', data, '--check']).ended
  t.equal(check.code, 0, check.output)
  t.match((await Process.run(t, thisRelease, words).ended).output, /serve\.data-unfit/)
})
