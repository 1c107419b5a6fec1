// Requests of measurements through the client of the tests, to the tenant `acme`. Answers with an error are thrown.
import { createHash } from 'node:crypto'

const tenant = '/v1/tenants/acme/documents'
let made = 0

/** Uploads a document through the server. Returns its id. */
export async function uploaded(api, bytes) {
  made += 1
  // Another content each time, so that nothing is recognised.
  const body = Buffer.concat([bytes, Buffer.from(`\n% ${made}\n`)])
  const sha256 = createHash('sha256').update(body).digest('hex')
  const announced = { contentLength: body.length, contentSha256: sha256, uploadPreference: 'proxy' }
  const { document, upload } = (await send(api, `${tenant}/init`, announced)).json()
  const form = new FormData()
  form.set('file', new Blob([body], { type: 'application/pdf' }), 'document.pdf')
  await fine(await api.send(new URL(upload.url, api.url).pathname, { method: 'POST', body: form }))
  await send(api, `${tenant}/${document.id}/commit`, { sha256 })
  return document.id
}

/** Adds an annotation to the page. */
export async function changed(api, layer, page) {
  made += 1
  const rect = { x: 20 + (made % 400), y: 20, width: 60, height: 40 }
  const ops = [{ type: 'annotations.create', page, data: { subtype: 'square', rect, color: '#ff0000' } }]
  const answer = await send(api, `${layer}/changes`, { changes: [{ opId: `bench-${made}`, ops }] })
  if (answer.at('/changes/0/status') !== 'applied') throw new Error(answer.text)
}

export async function get(api, path) {
  return fine(await api.send(path, {}))
}

export async function send(api, path, json) {
  return fine(await api.send(path, { method: 'POST', json }))
}

function fine(answer) {
  if (answer.status >= 400) throw new Error(`${answer.status} ${answer.text}`)
  return answer
}
