// The short form of `npm run cluster-test`: three processes behind nginx under load that edits, signs, imports and makes
// backups; one of them killed, Redis lost for a while, and an upgrade to a release with another format of rows. The recorded
// history must have no violation. A long run has every fault.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import t from 'tap'
import { childProgram } from '../support/child-process.js'
import { needsPostgres } from '../support/engines/postgres.js'
import { needsRedis } from '../support/engines/redis.js'
import { needsSwift } from '../support/engines/swift.js'
import { needsNginx } from '../support/nginx.js'
import { isLong, longTimeoutMs, seed } from '../support/sample.js'
import { faults } from './faults.js'

t.setTimeout(isLong ? longTimeoutMs : 300_000)
t.comment(`STEWARD_TEST_SEED=${seed}`)

const skip =
  [needsPostgres.skip, needsRedis().skip, needsSwift.skip, needsNginx.skip].find((reason) => reason !== false) ?? false

const sampledFaults = ['kill', 'redis', 'upgrade']
const sampled = ['--minutes', '1.2', '--editors', '4', '--faults', sampledFaults.join(), '--fault-seconds', '4']

t.test('no answered change is lost or applied twice, and no reader diverges', { skip }, async (t) => {
  const words = ['--seed', `${seed}`, ...(isLong ? [] : sampled)]
  const program = childProgram(new URL('run.ts', import.meta.url))
  const child = spawn(process.execPath, [...program, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const [code] = await once(child, 'close')
  t.equal(code, 0, output)
  t.match(output, /no violation/)
  for (const fault of sampledFaults) t.match(output, ` ${fault} (server-`)
  if (!isLong) return
  for (const fault of Object.keys(faults)) {
    if (output.includes(`${fault} cannot happen on this machine`)) t.comment(`${fault} cannot happen on this machine`)
    else t.match(output, ` ${fault} (server-`)
  }
})
