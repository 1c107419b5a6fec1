// A review, from upload to download: three people comment on an agreement in two layers, answer each other, fill in the
// form, take something back, redact an account number and flatten. Plain HTTP, no library.
//
//     agents serve                                     # in another terminal
//     node examples/documents/review.mjs OUT           # writes legal.pdf and finance.pdf into the folder OUT
//
// STEWARD_URL and STEWARD_API_TOKEN say where the server is; without them it is the one that runs on ./steward-data (or on
// the folder in STEWARD_SERVE_DATA), which leaves its address and token there.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const out = process.argv[2] ?? '.'
const data = process.env.STEWARD_SERVE_DATA ?? './steward-data'
const url = process.env.STEWARD_URL ?? fromServer('server.json').url
const apiToken = process.env.STEWARD_API_TOKEN ?? fromServer('secrets.json').apiToken
const file = readFileSync(new URL('agreement.pdf', import.meta.url))
const id = `agreement-${Date.now()}`
const tenant = '/v1/tenants/example'

/** Reads a file that the running server left in its data folder. */
function fromServer(name) {
  try {
    return JSON.parse(readFileSync(join(data, name), 'utf8'))
  } catch {
    return stop(
      `${join(data, name)} names no server: start "agents serve" here, or set STEWARD_URL and STEWARD_API_TOKEN.`,
    )
  }
}

function stop(message) {
  console.error(message)
  process.exit(1)
}

/** Sends one request and says what it was for; an error ends the review with the server's own words. */
async function send(what, method, path, { token = apiToken, body, headers = {} } = {}) {
  const isJson = body !== undefined && !(body instanceof FormData)
  const request = {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(isJson && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
  }
  const answer = await fetch(url + path, request).catch(({ cause }) =>
    stop(`${url} does not answer: ${cause?.message}`),
  )
  if (!answer.ok) throw new Error(`${what}: ${answer.status} ${await answer.text()}`)
  console.log(what)
  const isAnswerJson = answer.headers.get('content-type')?.startsWith('application/json')
  return isAnswerJson ? await answer.json() : Buffer.from(await answer.arrayBuffer())
}

// Upload: announce length and hash, send, commit.
const sha256 = createHash('sha256').update(file).digest('hex')
const upload = new FormData()
upload.append('file', new Blob([file], { type: 'application/pdf' }), 'agreement.pdf')
await send('make sure the tenant is there', 'POST', '/v1/tenants', { body: { id: 'example' } })
const announced = { docId: id, contentLength: file.length, contentSha256: sha256 }
await send('announce the agreement', 'POST', `${tenant}/documents/init`, { body: announced })
await send('send it', 'POST', `${tenant}/documents/${id}/upload-proxy`, { body: upload })
await send('commit it', 'POST', `${tenant}/documents/${id}/commit`, { body: { sha256 } })

// Three people. Ada and Grace share a layer, Lin has one of her own; each may change only their own annotations.
async function person(userId, displayName, layerName, scope) {
  const { token } = await send(`let ${displayName} into the ${layerName} layer`, 'POST', `${tenant}/tokens`, {
    body: { kind: 'doc', docId: id, sub: userId, layerName, scope, userId, displayName, expiresIn: 3600 },
  })
  return token
}
const commenting = ['doc.open', 'annotations:create:self', 'annotations:update:self', 'annotations:delete:self']
const ada = await person('ada', 'Ada', 'legal', [
  ...commenting,
  'doc.pages.modify',
  'doc.annotate.modify',
  'doc.redact',
])
const grace = await person('grace', 'Grace', 'legal', commenting)
// Flattening a page takes its fields and the comments of others along, so Lin needs to delete those too.
const lin = await person('lin', 'Lin', 'finance', [
  ...commenting,
  'annotations:delete:all',
  'doc.forms.fill',
  'doc.pages.modify',
  'doc.annotate.modify',
])

const legal = `/v1/docs/${id}/layers/legal`
const finance = `/v1/docs/${id}/layers/finance`
const { pages } = await send('look at the pages', 'GET', `${legal}/manifest`)
const [terms, payment] = pages.map(({ page }) => page)
const itemsOf = (layer, page) => `${layer}/annotations/pages/obj:${page.objectNumber}/items`

// Comments and replies in the legal layer.
const line = (x, y, width, height) => ({
  upperLeft: { x, y },
  upperRight: { x: x + width, y },
  lowerLeft: { x, y: y + height },
  lowerRight: { x: x + width, y: y + height },
})
const { annotation: highlight } = await send('Ada marks the deadline', 'POST', itemsOf(legal, terms), {
  token: ada,
  body: {
    subtype: 'highlight',
    quadPoints: [line(60, 131, 290, 14)],
    color: '#ffd400',
    contents: 'Thirty days are too long.',
  },
})
await send('Grace answers', 'POST', itemsOf(legal, terms), {
  token: grace,
  body: {
    subtype: 'text',
    rect: { x: 360, y: 128, width: 20, height: 20 },
    contents: 'Agreed: make it twenty.',
    reply: { to: highlight.ref },
  },
})

// A change under a name of its own, and its undo.
await send('Grace strikes the wrong line out', 'POST', `${legal}/changes`, {
  token: grace,
  body: {
    changes: [
      {
        opId: 'grace-1',
        ops: [
          {
            type: 'annotations.create',
            page: terms,
            data: { subtype: 'strikeout', quadPoints: [line(60, 171, 270, 14)], color: '#d40000' },
          },
        ],
      },
    ],
  },
})
await send('and takes it back', 'POST', `${legal}/changes`, {
  token: grace,
  body: { changes: [{ opId: 'grace-2', undoOf: 'grace-1' }] },
})

// The finance layer has none of these changes.
const field = (name) => `${finance}/form/fields/${encodeURIComponent(`fqn:${name}`)}/value`
await send('Lin fills in the buyer', 'POST', field('buyer'), { token: lin, body: { value: { value: 'Łódź Trading' } } })
await send('and accepts the terms', 'POST', field('accepted'), { token: lin, body: { value: { checked: true } } })
await send('Lin draws a box around the account', 'POST', itemsOf(finance, payment), {
  token: lin,
  body: { subtype: 'square', rect: { x: 155, y: 126, width: 190, height: 22 }, color: '#0050d4', strokeWidth: 2 },
})
await send('Lin flattens her page', 'POST', `${finance}/pages/flatten`, {
  token: lin,
  body: { pages: [payment], usage: 'display' },
})

// Redaction: the account number is removed from the legal layer, not covered.
const { annotation: mark } = await send('Ada marks the account number', 'POST', itemsOf(legal, payment), {
  token: ada,
  body: { subtype: 'redact', rect: { x: 155, y: 126, width: 190, height: 22 }, interiorColor: '#000000' },
})
await send('and removes it for good', 'POST', `${legal}/redactions/apply`, {
  token: ada,
  body: { annotations: [mark.ref] },
})

mkdirSync(out, { recursive: true })
for (const [name, layer] of Object.entries({ legal, finance })) {
  writeFileSync(join(out, `${name}.pdf`), await send(`download the ${name} layer`, 'GET', `${layer}/download`))
}
