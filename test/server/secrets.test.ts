// Generated and configured secrets of a server.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { Problem } from '../../core/diagnostic.js'
import { readSecrets } from '../../server/settings/secrets.js'
import { dataFolderAt, layOut, refuseForeign } from '../../server/storage/data-folder.js'
import { scratchFolder } from '../cli/scratch.js'
import { onePage } from '../support/pdf/raw-pdf.js'
import { runServer } from './support/running-server.js'

const base64 = (bytes: number) => Buffer.alloc(bytes, 9).toString('base64')
const codeOf = (reading: Promise<unknown>) =>
  reading.then(
    () => 'none',
    (error: unknown) =>
      error instanceof Problem ? `${error.diagnostics[0]?.code}: ${error.diagnostics[0]?.detail}` : error,
  )

t.test('secrets are generated once, readable by the owner only, and reused', async (t) => {
  const folder = scratchFolder(t)
  const made = await readSecrets(folder, {})
  t.strictSame(readdirSync(folder), ['secrets.json'])
  t.equal(statSync(join(folder, 'secrets.json')).mode & 0o777, 0o600)
  t.strictSame(await readSecrets(folder, {}), made)
  t.ok(made.signingSecret.length >= 32 && made.sealingKey.length === 32 && made.apiTokens[0].length >= 32)
  t.notSame(await readSecrets(scratchFolder(t), {}), made, 'another server has others')
})

t.test('secrets of the environment take precedence, and are never stored', async (t) => {
  const folder = scratchFolder(t)
  const env = {
    STEWARD_API_TOKEN: 'a-token-of-the-operator',
    STEWARD_SIGNING_SECRET: base64(40),
    STEWARD_SEALING_KEY: base64(32),
  }
  const secrets = await readSecrets(folder, env)
  t.strictSame(secrets.apiTokens, ['a-token-of-the-operator'])
  t.strictSame(Buffer.from(secrets.signingSecret), Buffer.alloc(40, 9))
  t.strictSame(Buffer.from(secrets.sealingKey), Buffer.alloc(32, 9))
  t.strictSame(readdirSync(folder), [], 'where all are given, none are made')
  const { STEWARD_SEALING_KEY: _, ...others } = env
  await readSecrets(folder, others)
  const retained = readFileSync(join(folder, 'secrets.json'), 'utf8')
  for (const value of Object.values(env)) t.notMatch(retained, value)
  t.match(await readSecrets(folder, { STEWARD_API_TOKEN: 'first-token-012345, second-token-012345' }), {
    apiTokens: ['first-token-012345', 'second-token-012345'],
  })
  t.notSame((await readSecrets(folder, { STEWARD_API_TOKEN: '' })).apiTokens, [''], 'an empty variable is left out')
})

t.test('a secret that is weak or not base64 is refused with the name of its variable, and not printed', async (t) => {
  const folder = scratchFolder(t)
  const weak = {
    STEWARD_API_TOKEN: ['short', 'with a space in it!', 'good-token-0123456,short', 'ünprintable-0123456'],
    STEWARD_SIGNING_SECRET: [
      base64(31),
      '!'.repeat(64),
      'a passphrase of more than forty-three characters, with spaces',
    ],
    STEWARD_SEALING_KEY: [base64(31), base64(33)],
  }
  for (const [name, values] of Object.entries(weak)) {
    for (const value of values) {
      const reported = await codeOf(readSecrets(folder, { [name]: value }))
      t.match(reported, new RegExp(`^serve\\.weak-secret: ${name}`), value)
      t.notOk(String(reported).includes(value))
    }
  }
})

t.test('an invalid secrets file is reported and left unchanged', async (t) => {
  for (const content of [
    '',
    '{}',
    '{"apiToken": "x"}',
    'null',
    '{"apiToken": 1, "signingSecret": "", "sealingKey": ""}',
  ]) {
    const folder = scratchFolder(t)
    writeFileSync(join(folder, 'secrets.json'), content, { mode: 0o600 })
    t.match(await codeOf(readSecrets(folder, {})), /^serve\.bad-secrets: /)
    t.equal(readFileSync(join(folder, 'secrets.json'), 'utf8'), content)
  }
})

t.test('a secrets file that others can read, or a symbolic link, is refused with a fix', async (t) => {
  const folder = scratchFolder(t)
  const path = join(folder, 'secrets.json')
  const made = await readSecrets(folder, {})
  for (const mode of [0o644, 0o666, 0o640, 0o602]) {
    chmodSync(path, mode)
    t.equal(
      await codeOf(readSecrets(folder, {})),
      `serve.shared-secrets: ${path} has mode 0${mode.toString(8)}: others may read or write it.`,
    )
  }
  chmodSync(path, 0o600)
  t.strictSame(await readSecrets(folder, {}), made)
  renameSync(path, join(folder, 'elsewhere.json'))
  symlinkSync('elsewhere.json', path)
  t.match(await codeOf(readSecrets(folder, {})), /^serve\.shared-secrets: .* is a symbolic link/)
})

t.test('an interrupted start does not prevent the next one from generating secrets', async (t) => {
  const folder = scratchFolder(t)
  writeFileSync(join(folder, 'format.json.1f0c.part'), '{"')
  const { apiToken } = await runServer(t, { folder })
  t.same((await readSecrets(folder, {})).apiTokens, [apiToken])
})

t.test('processes that start on a new folder at once have the same secrets, which are those of the file', async (t) => {
  const folder = join(scratchFolder(t), 'new')
  const data = dataFolderAt(folder)
  const started = await Promise.all(
    Array.from({ length: 20 }, async () => {
      await refuseForeign(data)
      await layOut(data)
      return readSecrets(folder, {})
    }),
  )
  const stored = await readSecrets(folder, {})
  for (const secrets of started) t.strictSame(secrets, stored)
  t.strictSame(readdirSync(folder).sort(), ['format.json', 'secrets.json'])
})

t.test('no secrets are written to a folder with other files', async (t) => {
  const folder = scratchFolder(t)
  mkdirSync(join(folder, 'photos'))
  await t.rejects(runServer(t, { folder }))
  t.notOk(existsSync(join(folder, 'secrets.json')))
})

t.test('an interrupted start leaves its secrets for an hour at most', async (t) => {
  const folder = scratchFolder(t)
  const [old, young, other] = ['secrets.json.1.part', 'secrets.json.2.part', 'letters.part'].map((name) =>
    join(folder, name),
  )
  for (const path of [old, young]) writeFileSync(path ?? '', '{"apiToken":')
  utimesSync(old ?? '', 0, Date.now() / 1000 - 4000)
  const server = await runServer(t, { folder })
  t.same(
    readdirSync(folder).filter((name) => name.endsWith('.part')),
    ['secrets.json.2.part'],
  )
  await server.close()
  writeFileSync(other ?? '', '')
  utimesSync(other ?? '', 0, 0)
  await (await runServer(t, { folder })).close()
  t.ok(existsSync(other ?? ''))
})

t.test('tokens outlive a restart, because the signing secret does; so does the API token', async (t) => {
  const folder = scratchFolder(t)
  const first = await runServer(t, { folder })
  const docId = await first.upload(onePage('0 0 9 9 re f'))
  const token = await first.documentToken(docId, ['doc.open'])
  await first.close()
  t.notOk(existsSync(join(folder, 'server.json')), 'nobody is told of a server that is gone')
  const second = await runServer(t, { folder })
  t.equal(second.apiToken, first.apiToken)
  t.match(JSON.parse(readFileSync(join(folder, 'server.json'), 'utf8')), { url: second.url })
  t.equal((await second.api.as(token).get(`/v1/docs/${docId}/head`)).status, 200)
})
