// Acme's service: a small JSON API over HTTP that forgets everything when it stops. It stands in for whatever service
// a real provider has, for trying the plugin and for its tests.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Account } from './account.js'
import { Refusal } from './collections.js'

/** @import { IncomingMessage } from 'node:http' */

const prefix = '/acme/v1'
const bodyBytesMax = 1_000_000

const overloaded = { status: 429, body: { error: { code: 'overloaded', message: 'try again later' } } }

/** @param {{ port?: number, pageMax?: number }} [options] port 0 takes any free one; `pageMax` rows make a page */
export async function startService({ port = 0, pageMax = 10 } = {}) {
  const account = new Account()
  let isOverloaded = false
  const server = createServer(async (request, response) => {
    const wasOverloaded = isOverloaded
    isOverloaded = false
    const { status, body } = wasOverloaded ? overloaded : await answer(account, pageMax, request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`,
    objects: async () => account.objects(),
    /** Refuses the next request. */
    overload() {
      isOverloaded = true
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/**
 * @param {Account} account
 * @param {number} pageMax
 * @param {IncomingMessage} request
 */
async function answer(account, pageMax, request) {
  try {
    return { status: 200, body: await act(account, pageMax, request) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: error.status, body: { error: { code: error.code, message: error.message } } }
  }
}

/**
 * @param {Account} account
 * @param {number} pageMax
 * @param {IncomingMessage} request
 */
async function act(account, pageMax, request) {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname === '/_emulator/objects') return { objects: account.objects() }
  if (!pathname.startsWith(`${prefix}/`)) throw new Refusal(404, 'not_found', `${pathname} does not exist`)
  if (!request.headers.authorization?.startsWith('Bearer ')) throw new Refusal(401, 'unauthorized', 'no key')
  const words = pathname.slice(prefix.length + 1).split('/')
  const id = words.length % 2 === 0 ? words.pop() : undefined
  const path = `/${words.join('/')}`
  const body = await bodyOf(request)
  if (id === undefined && request.method === 'GET')
    return account.list(path, {
      after: searchParams.get('page') ?? undefined,
      limit: Math.min(Number(searchParams.get('limit') ?? pageMax), pageMax),
    })
  if (id === undefined && request.method === 'POST')
    return account.create(path, body, request.headers['idempotency-key']?.toString())
  if (id !== undefined && request.method === 'GET') return account.read(path, id)
  if (id !== undefined && request.method === 'PATCH') return account.update(path, id, body)
  if (id !== undefined && request.method === 'DELETE') return account.remove(path, id)
  throw new Refusal(405, 'method_not_allowed', `${request.method} ${pathname}`)
}

/** @param {IncomingMessage} request */
async function bodyOf(request) {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > bodyBytesMax) throw new Refusal(413, 'too_large', `at most ${bodyBytesMax} bytes`)
  }
  if (text === '') return {}
  try {
    return Object(JSON.parse(text))
  } catch (error) {
    throw new Refusal(400, 'invalid', `not JSON: ${error instanceof Error ? error.message : error}`)
  }
}
