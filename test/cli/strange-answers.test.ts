// Another server answers at the address of a provider: a login page, an endless body, a page with status 404. Real HTTP.
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { type Run, start } from './program.js'
import { scratchFolder } from './scratch.js'

const megabyte = 1024 * 1024

interface Trial extends Run {
  /** Largest resident memory of the program among the samples. */
  readonly peakBytes: number
}

interface Strange {
  readonly answer: RequestListener
  /** Text of the error about the answer. */
  readonly says: RegExp
}

const endless: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const chunk = Buffer.alloc(megabyte, ' ')
  const pour = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', pour)
  pour()
}

const strangeAnswers: Readonly<Record<string, Strange>> = {
  'a login page': {
    answer: sending('<html><title>Please log in</title></html>', { 'content-type': 'text/html' }),
    says: /answered 200 text\/html \("<html><title>Please log in<\/title><\/html>"\) where .+ was expected/,
  },
  'an empty object': { answer: sending('{}', { 'content-type': 'application/json' }), says: /\("\{\}"\)/ },
  'a body without end': { answer: endless, says: /longer than any answer/ },
  'a few bytes that unpack to 300 MB': {
    answer: sending(gzipSync(Buffer.alloc(300 * megabyte, ' ')), {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    }),
    says: /longer than any answer/,
  },
}

for (const [what, { answer, says }] of Object.entries(strangeAnswers)) {
  t.test(`${what} with status 200 is not a success: nothing is recorded, and memory is bounded`, async (t) => {
    const { folder, run } = await project(t, answer)
    const { code, stderr, stdout, peakBytes } = await run(['apply', '--yes'])
    t.not(code, 0)
    t.match(stdout + stderr, says)
    t.match(stdout + stderr, /127\.0\.0\.1:\d+ answered/)
    t.notMatch(existsSync(stateOf(folder)) ? readFileSync(stateOf(folder), 'utf8') : '', /"id":\s*"/)
    t.ok(peakBytes < 600 * megabyte, `${Math.round(peakBytes / megabyte)} MB`)
  })
}

const json = { 'content-type': 'application/json' }
const notFounds: Readonly<Record<string, Strange>> = {
  'a page': {
    answer: sending('<html>no such page</html>', { 'content-type': 'text/html' }, 404),
    says: /answered 404 text\/html/,
  },
  'a gateway without such a route': {
    answer: sending('{"message":"no Route matched with those values"}', json, 404),
    says: /no Route matched/,
  },
  'a framework': {
    answer: sending('{"timestamp":"2026-01-01","status":404,"error":"Not Found","path":"/v1"}', json, 404),
    says: /HTTP 404/,
  },
}

for (const [what, { answer, says }] of Object.entries(notFounds)) {
  t.test(`${what} with status 404 does not prove that an object is gone: state keeps its row`, async (t) => {
    const [object, list] = [sending('{"id":"env_1","name":"e"}', json), sending('{"data":[]}', json)]
    const isOfList = ({ method, url }: IncomingMessage) => method === 'GET' && /\/environments(\?|$)/.test(url ?? '')
    const answers: { current: RequestListener } = {
      current: (request, response) => (isOfList(request) ? list : object)(request, response),
    }
    const { folder, run } = await project(t, (request, response) => answers.current(request, response))
    await run(['apply', '--yes'])
    t.match(readFileSync(stateOf(folder), 'utf8'), /env_1/)
    answers.current = answer
    const { code, stdout, stderr } = await run(['destroy', '--yes'])
    t.not(code, 0)
    t.match(stdout + stderr, says)
    t.match(readFileSync(stateOf(folder), 'utf8'), /env_1/)
  })
}

const stateOf = (folder: string): string => join(folder, 'agents.state.json')

async function project(t: Test, answer: RequestListener) {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const folder = scratchFolder(t)
  const { port } = server.address() as AddressInfo // Address of a server that listens on a port.
  const provider = `{ api_key: key-of-a-test, base_url: "http://127.0.0.1:${port}" }`
  writeFileSync(
    join(folder, 'agents.yaml'),
    `version: "1"\nproviders: { claude: ${provider} }\nenvironments: { e: { config: { type: cloud } } }\n`,
  )
  return { folder, run: (words: readonly string[]) => watched(words, folder) }
}

async function watched(words: readonly string[], folder: string): Promise<Trial> {
  const { child, ended } = start(words, { folder })
  let peakBytes = 0
  const watch = setInterval(() => (peakBytes = Math.max(peakBytes, residentBytes(child.pid))), 20)
  try {
    return { ...(await ended), peakBytes }
  } finally {
    clearInterval(watch)
  }
}

/** Returns 0 where the system does not report it, or the process has ended. */
function residentBytes(pid = 0): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

function sending(body: string | Buffer, headers: Readonly<Record<string, string>>, status = 200): RequestListener {
  return (_, response: ServerResponse) => void response.writeHead(status, headers).end(body)
}
