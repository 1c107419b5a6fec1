// Document server process that blocks at one call of the store or the file system, so that it can be killed there.
//   server-child.ts FOLDER THREAD [CALL before|during|after]
import { dirname, join, resolve } from 'node:path'
import { Writable } from 'node:stream'
import { startServer } from '../../../server/lifecycle/start.js'
import { readSettings } from '../../../server/settings/settings.js'
import { holding, say } from './holding.js'

const [folder = '', thread = '', holdAt = '0', when = 'before'] = process.argv.slice(2)
const { calls, ...access } = holding(Number(holdAt), when)
const settings = await readSettings({ flags: { importAllow: ['127.0.0.1/32'], importHttp: true }, env: {} })
const root = join(dirname(resolve(folder)), 'archive')
const connections = { archive: { type: 'filesystem' as const, root, prefixes: [''], tenants: ['*'] } }
const config = { ...settings, connections, data: folder, port: 0, threads: 1 }
const server = await startServer(config, {
  env: {},
  version: '0.0.0-test',
  logTo: new Writable({ write: (_chunk, _encoding, done) => done() }),
  thread: new URL(thread),
  access,
  // All test clients have the same address, so the rate limits per network must be high.
  rateBounds: { anonymousRequests: Number.POSITIVE_INFINITY },
})
process.once('SIGTERM', async () => {
  await server.close()
  say(JSON.stringify({ calls: calls() }))
})
say(JSON.stringify({ url: server.url, apiToken: server.apiToken, calls: calls() }))
