// Redis over TLS, with the user that docs/operations/redis.md gives servers: it is enough for everything they do.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { printed, start } from '../../cli/program.js'
import { scratchFolder } from '../../cli/scratch.js'
import { certificateFor } from '../../support/certificate.js'
import { needsPostgres, PostgresServer } from '../../support/engines/postgres.js'
import { needsRedis, startRedis } from '../../support/engines/redis.js'
import { freePort } from '../../support/free-port.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { change } from '../changes/support/changing.js'
import { Client } from '../support/client.js'
import { EventReader } from '../support/events.js'
import { done, makers } from '../support/running-server.js'

const skip = needsPostgres.skip || needsRedis().skip

t.test('two servers coordinate over TLS with least rights', { skip, timeout: 120_000 }, async (t) => {
  const folder = scratchFolder(t)
  const guide = readFileSync(new URL('../../../docs/operations/redis.md', import.meta.url), 'utf8')
  const user = /^user steward .*$/m.exec(guide)?.[0] ?? ''
  t.match(user, />PASSWORD ~steward:/)
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const { cert, key } = certificateFor('127.0.0.1')
  const root = file('cert.pem', cert)
  const port = await freePort()
  const redis = await startRedis(t, [
    ...['--tls-port', `${port}`, '--tls-cert-file', root, '--tls-key-file', file('key.pem', key)],
    ...['--tls-ca-cert-file', root, '--tls-auth-clients', 'no'],
    // The test looks at it as another user.
    ...[
      '--aclfile',
      file('users.acl', `user default on nopass ~* &* +@all\n${user.replace('PASSWORD', 'correct-horse')}\n`),
    ],
  ])
  const env = {
    NODE_EXTRA_CA_CERTS: root,
    STEWARD_SERVE_STORE: (await PostgresServer.start(t)).address(),
    STEWARD_SERVE_REDIS: `rediss://steward:correct-horse@127.0.0.1:${port}/0`,
    STEWARD_API_TOKEN: 'an-api-token-of-the-test',
  }
  const serve = async () => {
    const running = start(['serve', '--port', '0', '--threads', '1', '--data', 'data', '--json'], { folder, env })
    t.teardown(() => running.child.kill('SIGKILL'))
    await printed(running, 'stdout', '\n')
    const { url } = JSON.parse(running.seen.stdout.split('\n')[0] ?? '')
    return { ...running, api: new Client(url, env.STEWARD_API_TOKEN) }
  }
  const [first, second] = [await serve(), await serve()]

  const docId = await makers(first.api).upload(onePage('0 0 9 9 re f'))
  const reader = await EventReader.open(second.api, `/v1/docs/${docId}/layers/default/events`)
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8]
  const answers = await Promise.all(
    numbers.map((number) =>
      change(
        [first, second][number % 2]?.api ?? first.api,
        { docId },
        {
          opId: `op-${number}`,
          ops: [{ type: 'metadata.updateCustom', patch: { [`k${number}`]: 'x' } }],
        },
      ),
    ),
  )
  for (const answer of answers) done(answer)
  t.equal((await reader.take(8)).length, 8)
  await reader.close()
  for (const { api } of [first, second]) {
    t.match((await api.get('/metrics')).text, /^steward_leases_shared 1$/m)
    // Attempts of callers without a token are counted in Redis.
    t.equal((await new Client(api.url, 'no-token').get('/v1/tenants')).status, 401)
  }
  done(await first.api.delete(`/v1/tenants/acme/documents/${docId}`))
  for (const { child, ended } of [first, second]) {
    child.kill('SIGTERM')
    const { code, stdout, stderr } = await ended
    t.equal(code, 0)
    t.notMatch(stdout + stderr, /correct-horse/)
  }
  t.same(await redis.admin.acl('LOG'), [], 'Redis refused nothing')
})
