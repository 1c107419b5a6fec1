// SIGKILL on a process that works on a real data folder, before, during and after calls of the store and the file system.
// A sample of calls; all of them with STEWARD_TEST_LONG=1.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { chosen } from '../../../core/conformance/chance.js'
import { digestHere } from '../../../server/backup/verify.js'
import { checkStorage } from '../../../server/check/check.js'
import type { Storage } from '../../../server/storage/open-storage.js'
import { scratchFolder } from '../../cli/scratch.js'
import { childProgram } from '../../support/child-process.js'
import { isLong, longTimeoutMs, sampleOf, seed } from '../../support/sample.js'
import { clock, openScene } from '../support/scene.js'
import { contentOf } from './content.js'
import { tidy } from './tidy.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
t.setTimeout(isLong ? longTimeoutMs : 600_000)

const program = childProgram(new URL('child.ts', import.meta.url))

/** Runs the child and kills it when it prints `held`. Returns its output. */
async function run(folder: string, ...hold: readonly string[]): Promise<readonly string[]> {
  const child = spawn(process.execPath, [...program, folder, ...hold], { stdio: ['ignore', 'pipe', 'inherit'] })
  let written = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text
    if (written.includes('held\n')) child.kill('SIGKILL')
  })
  await once(child, 'close')
  return written.split('\n').filter((line) => line !== '')
}

const undisturbed = scratchFolder(t)
const whole = await run(undisturbed)
const calls = Number(whole.at(-1)?.split(' ')[1])

t.test('without a kill, the work completes and leaves a healthy store', async (t) => {
  t.ok(calls > 60, `${calls} calls`)
  await verify(t, undisturbed, whole)
})

for (const when of ['before', 'during', 'after'] as const) {
  t.test(`killed ${when} a call: everything acknowledged is stored, and nothing incomplete is visible`, async (t) => {
    for (const call of chosen(calls, sampleOf(3).sample)) {
      await t.test(`call ${call} of ${calls}`, async (t) => {
        const folder = scratchFolder(t)
        const written = await run(folder, String(call), when)
        t.equal(written.at(-1), 'held')
        await verify(t, folder, written)
      })
    }
  })
}

async function verify(t: Test, folder: string, written: readonly string[]): Promise<void> {
  const storage = await openScene(folder)
  const has = (line: string) => written.includes(line)
  for (const id of ['first', 'second', 'third', 'others']) {
    const isGoing = (id === 'first' && has('deleting first')) || (id === 'others' && has('deleting other'))
    if (!isGoing) await verifyDocument(t, storage, id, written)
  }
  if (has('deleted first')) t.equal(await storage.tables.documentIds.get(['first']), undefined, 'first is gone')
  if (has('deleted other')) t.equal(await storage.tables.tenantIds.get(['other']), undefined, 'the tenant is gone')
  await tidy(t, storage, clock)
  await storage.close()
  t.same(readdirSync(join(folder, 'workshop')), [], 'nothing unfinished is left')
  await checkStorage({ folder, digest: digestHere, report: ({ code, where }) => t.fail(`${code} ${where}`) })
}

/** Checks that announced documents exist, published ones are complete, and no other document is incomplete. */
async function verifyDocument(
  t: Test,
  { tables, blobs }: Storage,
  id: string,
  written: readonly string[],
): Promise<void> {
  const pointer = await tables.documentIds.get([id])
  if (!pointer) {
    t.notOk(written.includes(`announced ${id}`) || written.includes(`published ${id}`), `${id} is lost`)
    return
  }
  const row = await tables.documents.get([pointer.tenant, pointer.document])
  t.ok(row, `${id} has the row its pointer leads to`)
  const name = { ...pointer, name: 'upload.pdf' }
  if (written.includes(`uploaded ${id}`)) t.ok(await blobs.size(name), `the bytes of ${id}`)
  if (row?.state !== 'ready') {
    t.equal(row?.state, 'pending')
    t.notOk(written.includes(`published ${id}`), `${id} was published`)
    return
  }
  let content = ''
  for await (const chunk of blobs.read(name)) content += Buffer.from(chunk).toString()
  t.equal(content === contentOf(id), true, `${id} reads as it was written`)
  t.ok(await tables.versions.get([pointer.tenant, pointer.document, 1]), 'with its version')
  if (id === 'second' && written.includes('pictured second')) t.equal(row.thumbnail, 'ready')
}
