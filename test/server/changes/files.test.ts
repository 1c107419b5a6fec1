// Changes with files, which are parts of a multipart request.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { limits } from '../../../server/limits.js'
import { exponential, stackBreaker } from '../../support/pdf/hostile.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { runServer } from '../support/running-server.js'
import { layerPath, outcomes, titled } from './support/changing.js'

const server = await runServer(t, { settings: { documentBytesMax: 1024 * 1024 } })
const { api } = server
const docId = await server.upload(onePage('0 0 100 100 re f'))
const path = `${layerPath({ docId })}/changes`

interface Part {
  readonly name: string
  readonly value: string | Uint8Array
  readonly type?: string
}

function send(...parts: readonly Part[]) {
  const body = new FormData()
  for (const { name, value, type } of parts) {
    if (typeof value === 'string' && type === undefined) body.append(name, value)
    else body.append(name, new Blob([Buffer.from(value)], { type: type ?? 'application/pdf' }), 'drawing.pdf')
  }
  return api.send(path, { method: 'POST', body })
}

/** Op on a missing field: it is refused, but only after its file was found. */
const signing = (pdf: string) => ({
  type: 'forms.setSignatureAppearance',
  field: { kind: 'fqn', name: 'nobody' },
  appearance: { pdf },
})
const stamped = (appearance: string) => ({
  type: 'annotations.create',
  page: { kind: 'objectNumber', objectNumber: 3 },
  data: { subtype: 'stamp', rect: { x: 1, y: 1, width: 90, height: 90 } },
  resources: { appearance },
})
const request = (...changes: readonly object[]) => JSON.stringify({ changes })
const drawing = onePage('0 0 9 9 re f')

t.test('the part `body` equals the body of a plain request, as a form field or as a JSON file', async (t) => {
  const body = (opId: string) => request({ opId, ops: [titled('x')] })
  t.same(outcomes(await send({ name: 'body', value: body('a') })), ['applied'])
  t.same(outcomes(await send({ name: 'body', value: body('b'), type: 'application/json' })), ['applied'])
})

t.test('payloads are compared by the content of files, independent of their names', async (t) => {
  const body = (key: string) => ({ name: 'body', value: request({ opId: 'signed', ops: [signing(key)] }) })
  const first = await send(body('k'), { name: 'resource:k', value: drawing })
  t.same(outcomes(first), ['NotFound'])
  const again = await send({ name: 'resource:other', value: drawing }, body('other'))
  t.equal(again.text, first.text)
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  const changed = await send(body('k'), { name: 'resource:k', value: onePage('0 0 8 8 re f') })
  t.same(outcomes(changed), ['IdempotencyKeyReused'])
})

t.test('files that the body does not name, or that are sent twice, are refused before any op runs', async (t) => {
  const body = { name: 'body', value: request({ opId: 'never', ops: [titled('never')] }) }
  const wrong: Readonly<Record<string, readonly Part[]>> = {
    'no body': [{ name: 'resource:k', value: drawing }],
    'a lone file': [{ name: 'file', value: drawing }],
    'a part of another name': [body, { name: 'more', value: 'x' }],
    'an empty key': [body, { name: 'resource:', value: drawing }],
    'a file sent as text field': [body, { name: 'resource:k', value: 'x' }],
    'a file that no op uses': [body, { name: 'resource:k', value: drawing }],
    'two bodies': [body, body],
    'a body that is not JSON': [{ name: 'body', value: '{' }],
    'a body that is not an object': [{ name: 'body', value: '[]' }],
  }
  for (const [title, parts] of Object.entries(wrong)) {
    const answer = await send(...parts)
    t.equal(`${answer.status} ${answer.code}`, '400 InvalidArg', title)
  }
  const twice = { name: 'resource:k', value: drawing }
  const named = { name: 'body', value: request({ opId: 'never', ops: [signing('k')] }) }
  t.equal((await send(named, twice, twice)).code, 'InvalidArg')
})

t.test('a key such as "constructor" names no file', async (t) => {
  const answer = await send({ name: 'body', value: request({ opId: 'odd', ops: [signing('constructor')] }) })
  t.ok(['InvalidArg', 'NotFound'].includes(String(outcomes(answer)[0])), answer.text)
})

t.test('files above the size limit of documents are refused, alone or together, and not stored', async (t) => {
  const body = { name: 'body', value: request({ opId: 'huge', ops: [signing('a'), signing('b')] }) }
  const bytes = Buffer.alloc(700 * 1024, 'x')
  const together = await send(body, { name: 'resource:a', value: bytes }, { name: 'resource:b', value: bytes })
  t.equal(`${together.status} ${together.code}`, '413 PayloadTooLarge')
  const alone = await send(body, { name: 'resource:a', value: Buffer.alloc(2 * 1024 * 1024, 'x') })
  t.equal(`${alone.status} ${alone.code}`, '413 PayloadTooLarge')
})

t.test('a body that is too long, and too many files, are refused with the limit', async (t) => {
  const long = await send({ name: 'body', value: request({ opId: 'x'.repeat(limits.jsonBodyBytesMax), ops: [] }) })
  t.match([long.code, long.at('/details/limit')], ['PayloadTooLarge', 'jsonBodyBytesMax'])
  const files = Array.from({ length: limits.requestFilesMax + 1 }, (_, index) => `resource:${index}`)
  const many = await send(...files.map((name) => ({ name, value: drawing })))
  t.match(
    [many.code, many.at('/details')],
    ['PayloadTooLarge', { limit: 'requestFilesMax', max: limits.requestFilesMax }],
  )
})

t.test('no temporary files of these requests remain', async (t) => {
  t.same(readdirSync(join(server.dataFolder, 'workshop')), [])
})

t.test(
  'an appearance that takes too long to draw, or crashes its thread, is refused before it is added to a page',
  async (t) => {
    const refusal = { code: 'InvalidArg', details: { role: 'appearance' } }
    for (const [name, value] of Object.entries({ long: exponential(), deep: stackBreaker() })) {
      for (const op of [stamped('k'), signing('k'), stamped('k')]) {
        const body = { name: 'body', value: request({ opId: `${name}-${op.type}`, ops: [op] }) }
        let answer = await send(body, { name: 'resource:k', value })
        // On a busy machine the drawing may not get enough processor time to reach its deadline.
        while (outcomes(answer)[0] === 'RuntimeUnavailable') answer = await send(body, { name: 'resource:k', value })
        t.match(answer.json(), { changes: [{ error: refusal }] }, name)
      }
    }
    const layer = layerPath({ docId })
    t.equal((await api.get(`${layer}/render/all/pages/obj:3/data`)).status, 200)
    t.same((await api.get(`${layer}/annotations/items`)).at('/items') ?? [], [])
  },
)
