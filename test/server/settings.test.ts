// Settings from flags, environment and file, in this order of precedence; all unknown and invalid settings are reported.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Problem } from '../../core/diagnostic.js'
import { environmentNameOf, flagOf, Settings } from '../../server/settings/config.js'
import { readSettings, type SettingSources } from '../../server/settings/settings.js'
import { scratchFolder } from '../cli/scratch.js'

const read = (sources: Partial<SettingSources> = {}) => readSettings({ flags: {}, env: {}, ...sources })

function fileOf(t: Test, yaml: string): string {
  const path = join(scratchFolder(t), 'steward.yaml')
  writeFileSync(path, yaml)
  return path
}

/** `code: detail` of every problem. */
async function problemsOf(sources: Partial<SettingSources>): Promise<readonly string[]> {
  try {
    await read(sources)
    return []
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.diagnostics.map(({ code, detail }) => `${code}: ${detail}`)
  }
}

t.test('every setting has a default', async (t) => {
  t.match(await read(), {
    host: '127.0.0.1',
    port: 4780,
    tokenRevocation: true,
    importAllow: { length: 0 },
    logLevel: 'info',
  })
})

t.test(
  'flags take precedence over the environment, the environment over the file, the file over defaults',
  async (t) => {
    const file = fileOf(t, 'port: 1001\nhost: 10.0.0.1\nthreads: 3\n')
    const env = { STEWARD_SERVE_PORT: '1002', STEWARD_SERVE_HOST: '10.0.0.2' }
    t.match(await read({ flags: { port: '1003' }, env, file }), {
      port: 1003,
      host: '10.0.0.2',
      threads: 3,
      logLevel: 'info',
    })
  },
)

t.test('every setting can be given by its variable, and has a flag', async (t) => {
  t.equal(environmentNameOf('documentBytesMax'), 'STEWARD_SERVE_DOCUMENT_BYTES_MAX')
  t.equal(flagOf('documentBytesMax'), 'document-bytes-max')
  const values: Readonly<Record<string, string>> = {
    importAllow: '127.0.0.1/32, 10.0.0.0/8',
    importHttp: 'true',
    webhookAllow: '127.0.0.1/32',
    webhookHttp: 'true',
    trustProxy: 'true',
    tokenRevocation: 'false',
    logLevel: 'silent',
    publicUrl: 'https://documents.example',
    store: 'postgres://db.example/steward',
    blobs: 's3://documents',
    redis: 'redis://redis.example',
    drainSeconds: '10',
    processes: '2',
    blobCacheBytes: '100000000',
  }
  const text = (name: string) => values[name] ?? (name === 'tokenJwks' ? '' : '2000000')
  const names = Object.keys(Settings.properties)
  const port = { STEWARD_SERVE_PORT: '8080', STEWARD_SERVE_THREADS: '2' }
  const env = { ...Object.fromEntries(names.map((name) => [environmentNameOf(name), text(name)])), ...port }
  t.match(await read({ env }), {
    port: 8080,
    threads: 2,
    importAllow: ['127.0.0.1/32', '10.0.0.0/8'],
    importHttp: true,
    webhookAllow: ['127.0.0.1/32'],
    webhookHttp: true,
    trustProxy: true,
    tokenRevocation: false,
    documentBytesMax: 2_000_000,
    tokenPublicKey: '2000000',
    tokenJwks: undefined,
  })
})

t.test('an unknown setting is an error in every source, with a suggestion', async (t) => {
  const [variable = ''] = await problemsOf({ env: { STEWARD_SERVE_PROT: '1' } })
  t.match(variable, /^serve\.unknown-setting: .*STEWARD_SERVE_PROT.*Did you mean "STEWARD_SERVE_PORT"/)
  const [line = ''] = await problemsOf({ file: fileOf(t, 'documentByteMax: 1\n') })
  t.match(line, /^serve\.unknown-setting: .*"documentByteMax".*Did you mean "documentBytesMax"/)
})

t.test('invalid values are errors that name their source, all in one message', async (t) => {
  const found = await problemsOf({
    flags: { port: 'http' },
    env: { STEWARD_SERVE_THREADS: '0', STEWARD_SERVE_LOG_LEVEL: 'loud' },
    file: fileOf(t, 'pixelsMax: many\n'),
  })
  t.equal(found.length, 4)
  for (const where of [
    /--port/,
    /STEWARD_SERVE_THREADS/,
    /STEWARD_SERVE_LOG_LEVEL.*fatal, error/,
    /steward\.yaml: pixelsMax/,
  ]) {
    t.ok(
      found.some((problem) => /^serve\.bad-setting: /.test(problem) && where.test(problem)),
      String(where),
    )
  }
})

t.test('text is converted to a number or boolean only if it is one completely', async (t) => {
  for (const port of ['80.5', '0x50', '', ' ', 'true', '8e9', '-1', '65536']) {
    t.match(await problemsOf({ flags: { port } }), [/^serve\.bad-setting: --port/], `port ${JSON.stringify(port)}`)
  }
  for (const trustProxy of ['1', 'yes', 'TRUE?']) {
    const found = await problemsOf({ env: { STEWARD_SERVE_TRUST_PROXY: trustProxy } })
    t.match(found, [/^serve\.bad-setting: STEWARD_SERVE_TRUST_PROXY/], trustProxy)
  }
})

t.test('an empty variable counts as missing', async (t) => {
  t.match(await read({ env: { STEWARD_SERVE_PORT: '' } }), { port: 4780 })
})

t.test('a settings file that is missing, malformed or of another kind is an error', async (t) => {
  t.match(await problemsOf({ file: join(scratchFolder(t), 'missing.yaml') }), [/^serve\.no-settings-file: /])
  t.match(await problemsOf({ file: fileOf(t, 'port: [1\n') }), [/^serve\.no-settings-file: /])
  const bomb = 'a: &a [1, 1]\nb: &b [*a, *a, *a, *a]\nc: &c [*b, *b, *b, *b]\nd: [*c, *c, *c, *c]\n'
  for (const wrong of ['port: *missing\n', bomb, 'host: !!set\n', 'port: 1\n---\nport: 2\n'])
    t.match(await problemsOf({ file: fileOf(t, wrong) }), [/^serve\.no-settings-file: .*steward\.yaml: /], wrong)
  t.match(await problemsOf({ file: fileOf(t, '- port\n') }), [/^serve\.bad-setting: /])
  t.strictSame(await problemsOf({ file: fileOf(t, '# nothing yet\n') }), [])
})

t.test('two ways to verify tokens at once are refused', async (t) => {
  t.match(await problemsOf({ flags: { tokenPublicKey: 'key.pem', tokenJwks: 'keys.json' } }), [
    /tokenPublicKey|--token-public-key/,
  ])
})
