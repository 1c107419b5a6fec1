// SIGKILL on a server while a layer is moved to a new version and changed: afterwards the layer is over one of the versions,
// completely, and the change can be sent again.
import t, { type Test } from 'tap'
import { chosen } from '../../../core/conformance/chance.js'
import { digestHere } from '../../../server/backup/verify.js'
import { checkStorage } from '../../../server/check/check.js'
import { scratchFolder } from '../../cli/scratch.js'
import { formPdf, named } from '../../support/pdf/form-pdf.js'
import { needs } from '../../support/pdf/judges.js'
import { isLong, longTimeoutMs, sampleOf, seed } from '../../support/sample.js'
import { change, layerPath } from '../changes/support/changing.js'
import { runStopped } from '../crash/held-server.js'
import { download, field, popplerVerdicts, qpdfAccepts, sign } from '../signatures/support/signing.js'
import type { Client } from '../support/client.js'
import { done, makers, runServer } from '../support/running-server.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
t.setTimeout(isLong ? longTimeoutMs : 300_000)

const docId = 'signed'
const two = { docId, layerName: 'two' }
const square = (x: number) => ({
  type: 'annotations.create',
  page: { kind: 'objectNumber', objectNumber: 3 },
  data: { subtype: 'square', box: { x, y: 20, width: 30, height: 30 } },
})
/** Metadata that is too large to be stored in rows. */
const large = {
  type: 'metadata.updateCustom',
  patch: Object.fromEntries(['x', 'y', 'z'].map((key) => [key, key.repeat(30_000)])),
}
const last = { opId: 'last', ops: [square(90)] }

async function prepared(api: Client): Promise<void> {
  await makers(api).upload(formPdf(), { docId })
  for (const layerName of ['one', 'two']) {
    const ops = [square(10), large, { type: 'forms.setValue', field: named('plain'), value: { value: layerName } }]
    done(await change(api, { docId, layerName }, { opId: 'edit', ops }))
  }
  await sign({ api, docId, layerName: 'one' }, field('first'))
}

async function work(api: Client, say: (line: string) => void): Promise<void> {
  await prepared(api)
  say('signed')
  say(done(await change(api, two, last)).text)
}

const judges = needs('qpdf', 'pdfsig', 'openssl')
if (judges.skip) t.plan(0, judges.skip)
else await run()

async function run(): Promise<void> {
  const before = (await runStopped(scratchFolder(t), prepared)).calls.last
  const whole = scratchFolder(t)
  const after = (await runStopped(whole, work)).calls.last
  t.test('undisturbed, the layer is moved and changed', (t) => verify(t, whole, ['signed', 'answered']))
  const kills = Array.from({ length: after - before }, (_, index) => before + index + 1).flatMap((call) =>
    (['before', 'during', 'after'] as const).map((when) => ({ call, when })),
  )
  t.ok(kills.length > 0)
  for (const number of chosen(kills.length, sampleOf(2).sample)) {
    const { call = 0, when = 'before' } = kills[number - 1] ?? {}
    t.test(`killed ${when} call ${call - before} of ${after - before}, the layer is over either version`, async (t) => {
      const folder = scratchFolder(t)
      const { reported } = await runStopped(folder, work, String(call), when)
      await verify(t, folder, reported)
    })
  }
}

async function verify(t: Test, folder: string, reported: readonly string[]): Promise<void> {
  const report = ({ code, where }: { readonly code: string; readonly where: string }) => {
    // A missing thumbnail is drawn again on request.
    if (code !== 'data.missing-thumbnail') t.fail(`${code} ${where}`)
  }
  await checkStorage({ folder, digest: digestHere, report })
  if (!reported.includes('signed')) return
  const { api, close } = await runServer(t, { folder })
  const isAnswered = reported.length > 1
  await judge(t, api, isAnswered ? [2] : [1, 2])
  const repeated = done(await change(api, two, last))
  t.equal(repeated.at('/changes/0/status'), 'applied')
  await judge(t, api, [2])
  const { auditId, count } = Object((await api.get(`${layerPath(two)}/manifest`)).at('/merge'))
  t.ok(auditId > 0, 'the move is stored, once')
  t.equal(count, 1)
  await close()
}

/** `squares`: possible numbers of squares that the layer made, beside that of the signed layer. */
async function judge(t: Test, api: Client, squares: readonly number[]): Promise<void> {
  const { annotations } = Object(done(await api.get(`${layerPath(two)}/annotations/pages/obj:3/items`)).json())
  const found = annotations.filter(({ subtype }: { subtype: string }) => subtype === 'square').length
  t.ok(squares.includes(found - 1), `${found} squares`)
  const bytes = await download({ api, ...two })
  qpdfAccepts(t, bytes)
  t.ok(popplerVerdicts(t, bytes).some(({ isValid }) => isValid))
}
