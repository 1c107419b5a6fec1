// Every refusal of preparing, completing and cancelling, with its code and details.
import t from 'tap'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { change, layerPath, outcomes, titled } from '../changes/support/changing.js'
import type { Answer } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'
import { signingSecret } from '../support/tokens.js'
import { fieldBody, signatureField, withFields } from './support/signature-fields.js'
import { cancel, cmsOver, complete, field, prepare, prepareWith, sign, signer } from './support/signing.js'

const server = await runServer(t, { env: { STEWARD_SIGNING_SECRET: signingSecret } })
const { api, upload, clock, documentToken } = server

type Tap = Pick<typeof t, 'equal' | 'match'>

function isRefused(t: Tap, answer: Answer, refusal: string, details: object = {}): void {
  t.equal(`${answer.status} ${answer.code}`, refusal, answer.text)
  t.match(answer.at('/details') ?? {}, details)
}

/** Prepares a signature for a document with one field named `f`. */
async function prepared(entries: string, request: object = {}): Promise<Answer> {
  const docId = await upload(withFields(signatureField('f', entries)))
  return prepare({ api, docId }, { ...field('f'), ...request })
}

t.test('a field that cannot be signed is refused with the reason', async (t) => {
  isRefused(t, await prepared('/Ff 1'), '409 SignatureRefused', { constraint: 'read-only' })
  const docId = await upload(withFields(signatureField('f'), fieldBody('Tx', 'text')))
  await sign({ api, docId }, field('f'))
  isRefused(t, await prepare({ api, docId }, field('f')), '409 SignatureRefused', { constraint: 'signed' })
  isRefused(t, await prepare({ api, docId }, field('text')), '400 InvalidArg')
  isRefused(t, await prepare({ api, docId }, field('text.below')), '400 InvalidArg')
  isRefused(t, await prepare({ api, docId }, field('a..b')), '400 InvalidArg')
  const unknown = { field: { kind: 'objectNumber', objectNumber: 999 } }
  isRefused(t, await prepare({ api, docId }, unknown), '404 NotFound')
})

t.test('a certification must be the first signature', async (t) => {
  const docId = await upload(withFields(signatureField('f'), signatureField('g')))
  await sign({ api, docId }, field('f'))
  const certifying = await prepare({ api, docId }, { ...field('g'), certify: { permission: 2 } })
  isRefused(t, certifying, '409 SignatureRefused', { constraint: 'certification' })
})

t.test('seed values that are not met are refused by name', async (t) => {
  const refused: readonly (readonly [constraint: string, entries: string, request?: object])[] = [
    ['Filter', '/Ff 1/Filter/Other.Handler'],
    ['SubFilter', '/Ff 2/SubFilter[/adbe.pkcs7.sha1]'],
    ['SubFilter', '/Ff 2/SubFilter[/adbe.pkcs7.detached]', { subFilter: 'ETSI.CAdES.detached' }],
    ['V', '/Ff 4/V 4'],
    ['Reasons', '/Ff 8/Reasons[(agreed)(read)]'],
    ['Reasons', '/Ff 8/Reasons[(agreed)]', { signer: { reason: 'other' } }],
    ['Reasons', '/Ff 8/Reasons[(.)]', { signer: { reason: 'any' } }],
    ['LegalAttestation', '/Ff 16/LegalAttestation[(text)]'],
    ['AddRevInfo', '/Ff 32/AddRevInfo true'],
    ['DigestMethod', '/Ff 64/DigestMethod[(SHA1)]'],
    ['DigestMethod', '/Ff 64/DigestMethod[(SHA384)]', { digest: 'sha256' }],
    ['LockDocument', '/Ff 128/LockDocument/true'],
    ['AppearanceFilter', '/Ff 256/AppearanceFilter(One)'],
    ['MDP', '/MDP<</P 0>>', { certify: { permission: 2 } }],
    ['MDP', '/MDP<</P 2>>'],
    ['MDP', '/MDP<</P 2>>', { certify: { permission: 3 } }],
    ['Cert', '/Cert<</Ff 1/Subject[(x)]>>'],
    ['TimeStamp', '/TimeStamp<</URL(https://tsa.example)/Ff 1>>'],
  ]
  for (const [constraint, entries, request] of refused) {
    const answer = await prepared(`/SV<<${entries}>>`, request)
    isRefused(t, answer, '409 SignatureRefused', { constraint })
  }
})

t.test('seed values that can be met decide what the request leaves open', async (t) => {
  const met: readonly (readonly [entries: string, request: object, answer: object, reason?: string])[] = [
    ['/Ff 2/SubFilter[/adbe.pkcs7.sha1/adbe.pkcs7.detached]', {}, { subFilter: 'adbe.pkcs7.detached' }],
    ['/Ff 64/DigestMethod[(SHA1)(SHA512)(SHA256)]', {}, { algorithm: 'sha512' }],
    [
      '/SubFilter[/adbe.pkcs7.sha1]/DigestMethod[(SHA1)]',
      {},
      { subFilter: 'ETSI.CAdES.detached', algorithm: 'sha256' },
    ],
    ['/Ff 8/Reasons[(agreed)]', {}, {}, 'agreed'],
    ['/Ff 8/Reasons[(agreed)(read)]', { signer: { reason: 'read' } }, {}, 'read'],
    ['/Ff 5/Filter/Adobe.PPKLite/V 2', {}, {}],
    ['/MDP<</P 2>>', { certify: { permission: 2 } }, {}],
    ['/MDP<</P 0>>/Cert<</Ff 0/URL(https://ca.example)>>', {}, {}],
  ]
  for (const [entries, request, answer, reason = null] of met) {
    const docId = await upload(withFields(signatureField('f', `/SV<<${entries}>>`)))
    const prepared = await prepare({ api, docId }, { ...field('f'), ...request })
    t.match(prepared.json(), answer, entries)
    const completed = await complete({ api, docId }, prepared)
    t.equal(completed.at('/signature/signer/reason'), reason, completed.text)
  }
})

t.test('a lock other than that of the field is refused, and the same one accepted', async (t) => {
  const entries = '/Lock<</Type/SigFieldLock/Action/Include/Fields[(a)]>>'
  const other = await prepared(entries, { lock: { action: 'all', fields: [] } })
  isRefused(t, other, '409 SignatureRefused', { constraint: 'lock' })
  t.equal((await prepared(entries, { lock: { action: 'include', fields: ['a'] } })).status, 200)
  t.equal((await prepared(entries)).status, 200)
})

t.test('a timestamp has no members of a signature, and files must be named', async (t) => {
  const docId = await upload(onePage('% contradictions'))
  for (const more of [
    { subFilter: 'ETSI.CAdES.detached' },
    { certify: { permission: 1 } },
    { signer: { name: 'x' } },
  ]) {
    isRefused(t, await prepare({ api, docId }, { ...field('f'), kind: 'timestamp', ...more }), '400 InvalidArg')
  }
  isRefused(t, await prepare({ api, docId }, { ...field('f'), resources: { appearance: 'a' } }), '400 InvalidArg', {
    role: 'appearance',
  })
  for (const outside of ['/F(/etc/passwd)', '/Ref<</F(http://example.com/page.pdf)/Page 0>>', '/OPI<</2.0<<>>>>']) {
    const form = { body: `<</Type/XObject/Subtype/Form/BBox[0 0 9 9]${outside}>>`, stream: '0 0 9 9 re f' }
    const picture = onePage('/Other Do', { resources: '/XObject<</Other 9 0 R>>', further: { 9: form } })
    const answer = await prepareWith({ api, docId }, field('f'), picture)
    t.match([answer.status, answer.text], [400, /refers to another file/], outside)
  }
  const noPicture = await prepareWith({ api, docId }, field('f'), Buffer.from('no picture'))
  isRefused(t, noPicture, '400 InvalidArg', { role: 'appearance' })
  isRefused(t, await prepare({ api, docId }, { ...field('f'), contentsSize: 10 }), '400 InvalidArg')
  const never = { ...field('f'), signer: { signedAt: '2026-02-30T00:00:00Z' } }
  isRefused(t, await prepare({ api, docId }, never), '400 InvalidArg')
})

t.test('a lone file part is the body', async (t) => {
  const docId = await upload(onePage('% lone'))
  const lone = (text: string) => api.sendFile(`${layerPath({ docId })}/signatures/prepare`, Buffer.from(text))
  isRefused(t, await lone('no JSON'), '400 InvalidArg')
  isRefused(t, await lone('{}'), '400 InvalidArg')
  t.equal((await lone(JSON.stringify(field('f')))).status, 200)
})

t.test('a lock has so few and so short names that every reader knows them all', async (t) => {
  const docId = await upload(onePage('% names'))
  const locking = (fields: readonly string[]) => ({ ...field('f'), lock: { action: 'include', fields } })
  const many = Array.from({ length: 1001 }, (_, index) => `f${index}`)
  isRefused(t, await prepare({ api, docId }, locking(many)), '400 InvalidArg', { pointer: '/lock/fields' })
  isRefused(t, await prepare({ api, docId }, locking(['a', 'b'.repeat(4097)])), '400 InvalidArg', {
    pointer: '/lock/fields/1',
  })
  isRefused(t, await prepare({ api, docId }, field('f'.repeat(4097))), '400 InvalidArg', { pointer: '/field/name' })
})

t.test('a certification needs a capability of its own', async (t) => {
  const docId = await upload(onePage('% capabilities'))
  const as = async (...scope: readonly string[]) => ({ api: api.as(await documentToken(docId, scope)), docId })
  const certifying = { ...field('f'), certify: { permission: 2 } }
  isRefused(t, await prepare(await as('doc.sign'), certifying), '403 Forbidden', { capability: 'doc.sign.certify' })
  isRefused(t, await prepare(await as('doc.sign.certify'), certifying), '403 Forbidden')
  const locking = { ...field('f'), lock: { action: 'all', fields: [], permission: 1 } }
  isRefused(t, await prepare(await as('doc.sign'), locking), '403 Forbidden', { capability: 'doc.sign.certify' })
  t.equal((await prepare(await as('doc.sign', 'doc.sign.certify'), certifying)).status, 200)
})

t.test('a layer that is being signed refuses every write, of the API token too, and stores no refusal', async (t) => {
  const docId = await upload(onePage('% pending'))
  const client = { api, docId }
  await change(api, client, { opId: 'before', ops: [titled('Before')] })
  const first = await prepare(client, field('f')).then(done)
  const edit = { opId: 'edit', ops: [titled('During')] }
  t.same(outcomes(await change(api, client, edit)), ['SigningPending'])
  t.same(outcomes(await change(api, client, { opId: 'undo', undoOf: 'before' })), ['SigningPending'])
  t.same(outcomes(await change(api, client, { opId: 'before', ops: [titled('Before')] })), ['applied'], 'a replay')
  const own = await api.post(`${layerPath({ docId })}/pages/insert-blank`, { size: { width: 100, height: 100 } })
  isRefused(t, own, '409 SigningPending', { signingId: first.word('/signingId') })
  isRefused(t, await prepare(client, field('g')), '409 SigningPending')
  t.same(outcomes(await change(api, { docId, layerName: 'other' }, edit)), ['applied'], 'another layer is free')
  t.same((await prepare(client, field('f'))).json(), first.json(), 'the same request has the same response')
  const token = await documentToken(docId, ['doc.sign'])
  isRefused(t, await prepare({ api: api.as(token), docId }, field('f')), '409 SigningPending')
  t.same((await cancel(client, first)).json(), { status: 'cancelled' })
  t.same(outcomes(await change(api, client, edit)), ['applied'])
})

t.test('a pending signing belongs to who prepared it, and others see who holds it until when', async (t) => {
  const docId = await upload(onePage('% held'))
  const as = async (sub: string) => ({ api: api.as(await documentToken(docId, ['doc.sign'], { sub })), docId })
  const [ada, eve] = [await as('ada'), await as('eve')]
  const first = await prepare(ada, field('f')).then(done)
  const held = { signingId: first.word('/signingId'), expiresAt: first.word('/expiresAt'), heldBy: 'ada' }
  isRefused(t, await prepare(eve, field('f')), '409 SigningPending', held)
  isRefused(t, await complete(eve, first), '409 SigningPending', held)
  isRefused(t, await cancel(eve, first), '409 SigningPending', held)
  t.equal((await complete(ada, first)).status, 200)
  t.equal(Object((await complete(eve, first)).json()).status, 'already-completed', 'a replay of the same CMS')
  const second = await prepare(eve, field('g')).then(done)
  t.same((await cancel({ api, docId }, second)).json(), { status: 'cancelled' }, 'the API token acts for everybody')
})

t.test('a cancelled or unknown signing cannot be completed', async (t) => {
  const docId = await upload(onePage('% cancelled'))
  const client = { api, docId }
  const first = await prepare(client, field('f')).then(done)
  t.same((await cancel({ ...client, layerName: 'other' }, first)).json(), { status: 'unknown' })
  t.same((await cancel(client, first)).json(), { status: 'cancelled' })
  t.same((await cancel(client, first)).json(), { status: 'cancelled' })
  isRefused(t, await complete(client, first), '404 NotFound')
  const path = `${layerPath({ docId })}/signatures/none`
  t.same((await api.delete(path)).json(), { status: 'unknown' })
  const second = await prepare(client, field('f')).then(done)
  isRefused(t, await complete({ ...client, layerName: 'other' }, second), '404 NotFound')
  t.equal((await complete(client, second)).status, 200)
  t.same((await cancel(client, second)).json(), { status: 'already-completed' })
})

t.test('a CMS that is not one over the prepared bytes is refused, and the signing stays open', async (t) => {
  const docId = await upload(onePage('% cms'))
  const client = { api, docId }
  const first = await prepare(client, { ...field('f'), contentsSize: 2048 }).then(done)
  const good = cmsOver(first)
  const broken = Buffer.from(good, 'base64')
  broken.writeUInt8((broken.at(-1) ?? 0) ^ 1, broken.length - 1)
  const refused: readonly (readonly [cms: string, check: string])[] = [
    [signer.sign(Buffer.alloc(32, 1).toString('base64')), 'message-digest'],
    [broken.toString('base64'), 'signature-value'],
    [Buffer.from('no CMS').toString('base64'), 'encoding'],
    [Buffer.alloc(2049).toString('base64'), 'size'],
  ]
  for (const [cms, check] of refused) {
    isRefused(t, await complete(client, first, { cms }), '409 SignatureRefused', { check })
  }
  isRefused(t, await complete(client, first, { cms: '?' }), '400 InvalidArg')
  isRefused(t, await complete(client, first, { cms: 'A'.repeat(4 * 1024 * 1024) }), '400 InvalidArg')
  t.same(outcomes(await change(api, client, { opId: 'e', ops: [titled('x')] })), ['SigningPending'])
  t.equal((await complete(client, first, { cms: good })).status, 200)
})

t.test('the expected version must be the prepared one', async (t) => {
  const docId = await upload(onePage('% expected'))
  const client = { api, docId }
  await change(api, client, { opId: 'e', ops: [titled('x')] })
  const first = await prepare(client, field('f')).then(done)
  const expected = Object(first.at('/expectedVersion'))
  t.equal(expected.editsVersion, 1)
  for (const wrong of [{ editsVersion: 0 }, { baseSha256: 'a'.repeat(64) }]) {
    const answer = await complete(client, first, { expectedVersion: { ...expected, ...wrong } })
    isRefused(t, answer, '409 SigningVersionMismatch')
  }
  t.equal((await complete(client, first)).status, 200)
})

t.test(
  'another signature that was published meanwhile ends a signing, and a layer behind the head cannot sign',
  async (t) => {
    const docId = await upload(onePage('% meanwhile'))
    const [one, other] = [
      { api, docId },
      { api, docId, layerName: 'other' },
    ]
    const behind = await prepare(one, field('f')).then(done)
    await sign(other, field('g'))
    isRefused(t, await complete(one, behind), '409 SigningVersionMismatch')
    t.same((await cancel(one, behind)).json(), { status: 'cancelled' })
  },
)

t.test('a signing expires after a quarter of an hour, by the clock alone', async (t) => {
  const docId = await upload(onePage('% expired'))
  const client = { api, docId }
  const first = await prepare(client, field('f')).then(done)
  const second = await sign({ ...client, layerName: 'other' }, field('g'))
  t.equal(second.at('/status'), 'completed')
  clock.advance(15 * 60 * 1000)
  isRefused(t, await complete(client, first), '409 SigningExpired')
  t.same(outcomes(await change(api, client, { opId: 'e', ops: [titled('x')] })), ['applied'], 'the layer is free')
})

t.test('a completed signing answers the same CMS again, also after it would have expired', async (t) => {
  const docId = await upload(onePage('% repeated'))
  const client = { api, docId }
  const first = await prepare(client, field('f')).then(done)
  const cms = cmsOver(first)
  const completed = await complete(client, first, { cms }).then(done)
  clock.advance(24 * 60 * 60 * 1000)
  const again = await complete(client, first, { cms }).then(done)
  t.same(again.json(), { ...Object(completed.json()), status: 'already-completed' })
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  const other = Buffer.from('another CMS').toString('base64')
  isRefused(t, await complete(client, first, { cms: other }), '409 SignatureRefused')
})
