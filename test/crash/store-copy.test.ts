// A store copy that ends in the middle: no server starts on the target, and the same command starts over.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { agents, records, scratchFolder, start } from '../cli/program.js'
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
  let last = 'data'
  for (const [signal, to] of [
    ['SIGKILL', postgres.address('killed')],
    ['SIGKILL', 'killed'],
    ['SIGINT', postgres.address('stopped')],
    ['SIGINT', 'stopped'],
  ] as const) {
    const words = copies(last, to)
    const running = start(words, { folder })
    await sleep(700)
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
  t.equal(new Set(copied.map((one) => Object(one).sha256)).size, 1, 'every copy has the same rows')
})
