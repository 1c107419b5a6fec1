// Document server of a matrix run, in its own process: the process of the judges starts thousands of programs, and
// starting one costs in proportion to the parent's memory. Prints its URL; stops when its input ends, then checks its
// data folder and prints the findings.
//
//   node scripts/run.mjs test/matrix/server-process.ts FOLDER THREADS
import { once } from 'node:events'
import { Writable } from 'node:stream'
import { digestHere } from '../../server/backup/verify.js'
import { checkStorage } from '../../server/check/check.js'
import { startServer } from '../../server/lifecycle/start.js'
import { readSettings } from '../../server/settings/settings.js'
import { builtThread } from '../support/worker-thread.js'

const [data = '', threads = '2'] = process.argv.slice(2)
const defaults = await readSettings({ flags: {}, env: {} })
const config = { ...defaults, port: 0, threads: Number(threads), data, logLevel: 'error' as const }
const logTo = new Writable({ write: (_chunk, _encoding, done) => done() })
const options = { env: {}, version: '0.0.0-matrix', logTo, thread: await builtThread() }
const server = await startServer(config, options)
console.log(JSON.stringify({ url: server.url, apiToken: server.apiToken }))

process.stdin.resume()
await once(process.stdin, 'end')
await server.close()
const findings: string[] = []
await checkStorage({
  folder: data,
  digest: digestHere,
  report: ({ code, where, detail }) => findings.push(`${code} ${where}: ${detail}`),
})
console.log(JSON.stringify(findings))
