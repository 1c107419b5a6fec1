// A store copy that ends in the middle: no server starts on the target, and the same command starts over.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { agents, type Running, records, scratchFolder, start } from '../cli/program.js'
import { makeTenant, openScene } from '../server/support/scene.js'
import { needsPostgres, PostgresServer } from '../support/engines/postgres.js'

const rows = 60_000
const batch = 1000

await t.test('a copy is ended by kill -9 and by Ctrl-C', needsPostgres, async (t) => {
  const postgres = await PostgresServer.start(t)
  const folder = scratchFolder(t)
  const storage = await openScene(join(folder, 'data'))
  await makeTenant(storage, 'acme')
  for (let from = 0; from < rows; from += batch) {
    const put = Array.from({ length: batch }, (_, index) => ({
      key: Buffer.from(`row\0${from + index}`),
      value: Buffer.alloc(100, index),
    }))
    await storage.store.commit({ expect: [], put, delete: [] })
  }
  await storage.close()

  const copied: unknown[] = []
  const copies = (from: string, to: string) => ['store', 'copy', '--from', from, '--to', to, '--json']
  /** Waits until rows are being copied: a folder has its mark then. */
  const begun = async ({ child }: Running, to: string) => {
    if (to.startsWith('postgres')) return sleep(700)
    while (!existsSync(join(folder, to, 'restoring')) && child.exitCode === null) await sleep(5)
  }
  let last = 'data'
  for (const [signal, to] of [
    ['SIGKILL', postgres.address('killed')],
    ['SIGKILL', 'killed'],
    ['SIGINT', postgres.address('stopped')],
    ['SIGINT', 'stopped'],
  ] as const) {
    const words = copies(last, to)
    const running = start(words, { folder })
    await begun(running, to)
    running.child.kill(signal)
    const end = await running.ended
    t.equal(end.signal, signal, `${signal} in the middle: ${end.stdout}`)
    const place = to.startsWith('postgres') ? ['--store', to] : ['--data', to]
    const served = await agents(['serve', '--check', '--json', ...place], { folder })
    t.not(served.code, 0, `no server starts: ${served.stdout}`)
    const again = await agents(words, { folder })
    t.equal(again.code, 0, again.stdout)
    copied.push(records(again.stdout)[0])
    last = to
  }
  // Two at once on what an interrupted one left.
  const words = copies(postgres.address('killed'), 'both')
  const first = start(words, { folder })
  await begun(first, 'both')
  first.child.kill('SIGKILL')
  await first.ended
  const both = await Promise.all([agents(words, { folder }), agents(words, { folder })])
  t.same(both.map(({ code }) => code === 0).sort(), [false, true], 'one of two copies is refused')
  for (const { code, stdout } of both) {
    if (code === 0) copied.push(records(stdout)[0])
    else t.match(records(stdout), [{ code: 'documents.copy-refused' }])
  }
  t.equal(new Set(copied.map((one) => Object(one).sha256)).size, 1, 'every copy has the same rows')
})
