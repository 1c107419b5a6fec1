// Memory of a document server process: bounded during a large upload and a flood of requests. The flood takes ten seconds
// with STEWARD_TEST_LONG=1, two without.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import t from 'tap'
import { limits } from '../../workers/limits.js'
import { scratchFolder } from '../cli/scratch.js'
import { childProgram } from '../support/child-process.js'
import { helvetica, onePage } from '../support/pdf/raw-pdf.js'
import { growthDuring, withoutMemory } from '../support/resident-memory.js'
import { isLong } from '../support/sample.js'
import { builtThread } from '../support/worker-thread.js'
import { Client } from './support/client.js'
import { done } from './support/running-server.js'
import { uploaded } from './support/uploads.js'

const megabyte = 1_000_000

t.test('an upload of 100 MB, and a flood of requests, cost bounded memory', { skip: withoutMemory }, async (t) => {
  const program = childProgram(new URL('crash/server-child.ts', import.meta.url))
  const child = spawn(process.execPath, [...program, scratchFolder(t), (await builtThread()).href], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(async () => {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const { url, apiToken } = JSON.parse(line)
  const api = new Client(url, apiToken)
  done(await api.post('/v1/tenants', { id: 'acme' }))

  const content = 'BT /F1 12 Tf 20 100 Td (Large) Tj ET'
  const padding = (sizeBytes: number) => ({ 9: { body: '<<>>', stream: 'x'.repeat(sizeBytes) } })
  const small = onePage(content, { resources: helvetica, further: padding(megabyte) })
  const large = onePage(content, { resources: helvetica, further: padding(100 * megabyte) })
  // The first upload loads modules that later ones reuse.
  done(await uploaded(api, small))
  const growth = await growthDuring(
    child.pid ?? 0,
    async () => void done(await uploaded(api, large, { docId: 'large' })),
  )
  // A busy machine collects later; a server that keeps the file takes as much as arrives, or more.
  t.ok(growth < 100 * megabyte, `${(growth / megabyte).toFixed(0)} MB more while 100 MB arrived`)

  const picture = '/v1/docs/large/layers/default/render/pages/obj:3/data'
  const seen = new Map<number, number>()
  const until = Date.now() + (isLong ? 10_000 : 2_000)
  let drawn = 0
  const flood = async () => {
    while (Date.now() < until) {
      drawn += 1
      const { status, headers } = await api.get(`${picture}?viewport.scale=${1 + (drawn % 5_000) / 10_000}`)
      seen.set(status, (seen.get(status) ?? 0) + 1)
      if (status === 503) t.ok(Number(headers.get('retry-after')) >= 1)
    }
  }
  const flooded = await growthDuring(child.pid ?? 0, async () => {
    await Promise.all(Array.from({ length: 10 * limits.queuedTasksMax }, flood))
  })
  t.same(
    [...seen.keys()].filter((status) => status !== 200 && status !== 503),
    [],
    'no other status',
  )
  t.ok((seen.get(200) ?? 0) > 0 && (seen.get(503) ?? 0) > 0, JSON.stringify([...seen]))
  t.ok(flooded < 300 * megabyte, `${(flooded / megabyte).toFixed(0)} MB more in the flood`)
  t.equal((await api.get(`${picture}?viewport.scale=1.75`)).status, 200, 'requests succeed after the flood')
})
