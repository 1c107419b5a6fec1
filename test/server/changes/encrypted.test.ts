// Edits of encrypted documents are stored encrypted, and decrypted only for requests with the password.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { digestHere } from '../../../server/backup/verify.js'
import { checkStorage } from '../../../server/check/check.js'
import { secretsAtHand } from '../../../server/settings/secrets.js'
import { scratchFolder } from '../../cli/scratch.js'
import { needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { Workshop } from '../../support/pdf/workshop.js'
import { EventReader } from '../support/events.js'
import { runServer } from '../support/running-server.js'
import { layerPath, outcomes } from './support/changing.js'

const needsQpdf = needs('qpdf')
if (needsQpdf.skip) t.plan(0, needsQpdf.skip)
else await run()

async function run(): Promise<void> {
  const folder = scratchFolder(t, 'data')
  const password = 'correct horse'
  const headers = { 'x-document-password': Buffer.from(password).toString('base64') }
  const [small, large, refused] = ['Confidential-1175', 'Confidential-2290', 'Confidential-3308']

  function locked(): Buffer {
    const { path } = Workshop.of(t).source(onePage('0 0 100 100 re f'))
    execFileSync('qpdf', ['--encrypt', password, 'owner', '256', '--', path, `${path}.locked`])
    return readFileSync(`${path}.locked`)
  }

  const first = await runServer(t, { folder })
  const docId = await first.upload(locked())
  const path = layerPath({ docId })
  const custom = (key: string, value: string) => ({ type: 'metadata.updateCustom', patch: { [key]: value } })
  const changes = [
    { opId: 'small', ops: [custom('small', small)] },
    { opId: 'large', ops: ['x', 'y', 'z'].map((key) => custom(key, large.repeat(1500))) },
    { opId: 'refused', ops: [{ type: 'metadata.update', patch: {}, expect: { title: refused } }] },
  ]
  const made = await first.api.post(`${path}/changes`, { changes }, headers)

  t.test('changes are applied and read only with the password', async (t) => {
    t.same(outcomes(made), ['applied', 'applied', 'ChangeConflict'], made.text.slice(0, 500))
    t.match((await first.api.get(`${path}/metadata/custom`, headers)).json(), { small })
    t.equal((await first.api.get(`${path}/metadata/custom`)).code, 'DocPasswordRequired')
    t.equal((await first.api.post(`${path}/changes`, { changes })).code, 'DocPasswordRequired', 'replays need it too')
  })

  t.test('events contain the changes, decrypted for readers with the password', async (t) => {
    const events = `${path}/events`
    const reader = await EventReader.open(first.api, events, { ...headers, 'last-event-id': '0' })
    const [event] = await reader.take(1)
    t.match(event, { event: 'mutation', id: '1', data: { idempotencyKey: 'small' } })
    t.same(event?.data['payload'], made.at('/changes/0/result'))
    await reader.close()
    const answer = await first.api.get(events, { 'last-event-id': '0' })
    t.equal(answer.code, 'DocPasswordRequired')
    t.notMatch(answer.text, small)
  })

  t.test('a restarted server decrypts stored changes and undoes them', async (t) => {
    await first.close()
    const second = await runServer(t, { folder })
    const again = await second.api.post(`${path}/changes`, { changes }, headers)
    t.same(again.at('/changes/0'), made.at('/changes/0'))
    t.same(outcomes(again), outcomes(made))
    t.match((await second.api.get(`${path}/metadata/custom`, headers)).json(), { small, x: /^Confidential-2290/ })
    const undo = { changes: [{ opId: 'undo', undoOf: 'small' }] }
    t.same(outcomes(await second.api.post(`${path}/changes`, undo, headers)), ['applied'])
    await second.close()
  })

  t.test('the data folder contains none of their content in clear', async (t) => {
    const files = filesIn(folder)
    t.ok(
      files.some((file) => file.includes('change-')),
      'a blob was written',
    )
    for (const file of files) {
      const bytes = readFileSync(file)
      for (const text of [small, large, refused]) {
        t.notOk(bytes.includes(text), `${text} in ${file}`)
        t.notOk(bytes.includes(Buffer.from(text, 'utf16le').swap16()), `${text} as UTF-16 in ${file}`)
        t.notOk(bytes.includes(Buffer.from(text).toString('base64').slice(0, -4)), `${text} as base64 in ${file}`)
      }
    }
  })

  t.test('with another sealing key, reads are refused with a reason', async (t) => {
    const key = Buffer.alloc(32, 7).toString('base64')
    const other = await runServer(t, { folder, env: { STEWARD_SEALING_KEY: key } })
    const answer = await other.api.get(`${path}/metadata/custom`, headers)
    t.equal(`${answer.status} ${answer.code}`, '503 RuntimeUnavailable', answer.text)
    t.match(answer.at('/message'), /sealed with another key/)
    const change = { changes: [{ opId: 'more', ops: [custom('small', 'x')] }] }
    t.same(outcomes(await other.api.post(`${path}/changes`, change, headers)), ['RuntimeUnavailable'])
    await other.close()
    const found: string[] = []
    const at = { ...(await secretsAtHand(folder, {})), sealingKey: Buffer.alloc(32, 7) }
    await checkStorage({ folder, secrets: at, digest: digestHere, report: ({ code }) => found.push(code) })
    t.same(found, ['data.sealed-otherwise'], 'the key that it was served with last, which is not that of the changes')
  })
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? filesIn(path) : [path]
  })
}
