// A receiver of webhooks: verifies the signature over the bytes as they came, refuses old deliveries, and handles every
// event once. Start it with the secret that `agents webhooks create` printed:
//
//   WEBHOOK_SECRET=whsec_… node webhook-receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = Buffer.from((process.env.WEBHOOK_SECRET ?? '').replace(/^whsec_/, ''), 'base64')
const toleranceSeconds = 5 * 60
const bodyBytesMax = 64 * 1024
/** Ids of handled events. A real receiver keeps them where several processes see them, for some days. */
const handled = new Set()

/** True if one of the signatures was made with the secret: during a rotation there are two. */
function isSigned(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  if (secret.length === 0 || Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) return false
  const expected = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest()
  return signatures.split(' ').some((signature) => {
    const [version, digest = ''] = signature.split(',')
    const bytes = Buffer.from(digest, 'base64')
    return version === 'v1' && bytes.length === expected.length && timingSafeEqual(bytes, expected)
  })
}

async function bodyOf(request) {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > bodyBytesMax) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const server = createServer(async (request, response) => {
  const body = await bodyOf(request)
  if (body === undefined || !isSigned(request.headers, body)) return response.writeHead(401).end()
  const event = JSON.parse(body.toString('utf8'))
  if (!handled.has(event.id)) {
    handled.add(event.id)
    console.log(`${event.timestamp} ${event.type} ${event.data.docId ?? ''}`)
  }
  response.writeHead(204).end()
})
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => console.log(`listening on ${server.address().port}`))
