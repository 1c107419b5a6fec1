// A database and two Redis servers, for servers that share them or should not.
import type { Test } from 'tap'
import { agents, printed, records, start } from '../../cli/program.js'
import { scratchFolder } from '../../cli/scratch.js'
import { needsPostgres, PostgresServer } from '../../support/engines/postgres.js'
import { needsRedis, startRedis } from '../../support/engines/redis.js'

/** `t.test(title, needsEngines, …)` */
export const needsEngines = { skip: needsPostgres.skip || needsRedis().skip }

export async function startSharing(t: Test) {
  const postgres = await PostgresServer.start(t)
  const [redis, otherRedis] = [await startRedis(t), await startRedis(t)]
  const folder = scratchFolder(t)
  const run = (...words: readonly string[]) => agents([...words, '--json'], { folder })
  const words = (data: string, ...more: readonly string[]) => ['--port', '0', '--threads', '1', '--data', data, ...more]
  const serve = async (...flags: readonly string[]) => {
    const running = start(['serve', '--json', ...flags], { folder })
    t.teardown(() => running.child.kill('SIGKILL'))
    await printed(running, 'stdout', '\n')
    return running
  }
  const stop = async ({ child, ended }: Awaited<ReturnType<typeof serve>>) => {
    child.kill('SIGTERM')
    const { code, stdout, stderr } = await ended
    t.equal(code, 0, stderr.slice(-800) + stdout.slice(-800))
  }
  const refusal = async (...flags: readonly string[]) => {
    const { stdout } = await run('serve', ...flags)
    return records(stdout)[0]
  }
  return { postgres, redis, otherRedis, folder, run, words, serve, stop, refusal }
}
