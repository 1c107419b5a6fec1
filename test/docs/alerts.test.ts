// docs/operations/alerts.yaml and dashboard.json: every metric, label and event that they name exists on a server that uses all
// engines, and docs/operations.md explains every alert.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { scratchFolder } from '../cli/scratch.js'
import { createBucket, documentsAddress } from '../cluster/cluster.js'
import { ServerProcess } from '../cluster/processes.js'
import { needsPostgres, PostgresServer } from '../support/engines/postgres.js'
import { needsRedis, startRedis } from '../support/engines/redis.js'
import { needsSwift, startSwift } from '../support/engines/swift.js'
import { freePort } from '../support/free-port.js'

const root = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const rules: readonly { alert: string; expr: string }[] = parse(read('docs/operations/alerts.yaml')).groups[0].rules
const panels: readonly { title: string; targets: readonly { expr: string }[] }[] = JSON.parse(
  read('docs/operations/dashboard.json'),
).panels
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
]

t.test('every alert is explained', async (t) => {
  const guide = read('docs/operations.md')
  for (const { alert } of rules) t.ok(guide.includes(`\`${alert}\``), alert)
})

t.test('parentheses of every expression are closed', async (t) => {
  for (const expr of expressions) {
    const count = (sign: string) => expr.split(sign).length
    for (const [open, close] of ['()', '[]', '{}'].map((pair) => [...pair]))
      t.equal(count(open ?? ''), count(close ?? ''), expr)
  }
})

const skip =
  [needsPostgres, needsRedis(), needsSwift].map(({ skip }) => skip).find((reason) => reason !== false) ?? false

t.test('every metric and label exists on a server with all engines', { skip }, async (t) => {
  const [postgres, redis, swift] = await Promise.all([PostgresServer.start(t), startRedis(t), startSwift(t)])
  await createBucket(swift)
  const server = new ServerProcess({
    name: 'server',
    port: await freePort(),
    folder: scratchFolder(t, 'server'),
    flags: ['--processes', '2', '--threads', '1', '--log-level', 'warn'],
    env: {
      ...swift.env,
      STEWARD_SERVE_STORE: postgres.address(),
      STEWARD_SERVE_BLOBS: documentsAddress(swift),
      STEWARD_SERVE_REDIS: redis.address,
    },
  })
  t.teardown(() => server.end('SIGTERM'))
  await server.start()
  // The request itself is in the histogram of the next scrape.
  await fetch(`${server.url}/readyz`)
  const scrape = await (await fetch(`${server.url}/metrics`)).text()
  const labels = new Set([...scrape.matchAll(/[{,]([a-z_]+)="/g)].map(([, label]) => label))
  for (const expr of expressions) {
    for (const [name] of expr.matchAll(/\bsteward_\w+/g)) t.ok(scrape.includes(`\n${name}`), name)
    for (const [, label] of expr.matchAll(/[{,](\w+)[=!]/g)) {
      // Prometheus itself adds these.
      if (label !== 'instance' && label !== 'job') t.ok(labels.has(label), `${label} of ${expr}`)
    }
  }
})

t.test('every operation and event exists', async (t) => {
  const source = [
    read('server/api/events.ts'),
    read('server/api/changes.ts'),
    read('server/changes/apply-changes.ts'),
    read('server/lifecycle/app.ts'),
    read('server/operation/storage-bounds.ts'),
    read('server/lifecycle/open-deployment.ts'),
    read('server/caches/caches.ts'),
    read('server/caches/answer-cache.ts'),
  ].join('\n')
  const values = expressions.flatMap((expr) => [...expr.matchAll(/\b(?:operation|event)[=!]~?"([^"]+)"/g)])
  for (const value of values.flatMap(([, value]) => (value ?? '').split('|')))
    t.ok(source.includes(`'${value}'`), value)
})
