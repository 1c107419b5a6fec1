// Authority of every operation, with every credential that must be refused: the exact status and code, in the error shape
// of document or tenant routes, before the rest of the request is inspected.
import type { JWTPayload } from 'jose'
import t from 'tap'
import { tenantScopes } from '../../../server/auth/tenant-scopes.js'
import type { Operation } from '../../../server/operation/operation.js'
import { type Capability, capabilities, withImplied } from '../../../workers/contract/capabilities.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { everyRequest, namesOf, type SentRequest } from '../support/every-operation.js'
import { done, runServer } from '../support/running-server.js'
import { signed, signingSecret } from '../support/tokens.js'

const server = await runServer(t, { env: { STEWARD_SIGNING_SECRET: signingSecret } })
const { api } = server
const pdf = onePage('0 0 100 100 re f')
const docId = await server.upload(pdf, { docId: 'report' })
await server.upload(pdf, { docId: 'minutes' })
await server.upload(pdf, { tenantId: 'other', docId: 'others' })
await server.upload(pdf, { tenantId: 'frozen', docId: 'ice' })
await api.post('/v1/tenants/frozen/suspend').then(done)

const names = { ...namesOf(docId), id: 'not-there', annotKey: 'obj:999', fieldKey: 'obj:999' }
const all = everyRequest(names)
const guarded = all.filter(({ operation }) => operation.authority.kind !== 'none')
const forTenants = all.filter(({ operation }) => operation.authority.kind === 'tenant')
const forDocuments = all.filter(({ operation }) => operation.authority.kind === 'document')
const forBearers = [...forTenants, ...forDocuments]

type Headers = Readonly<Record<string, string>>
const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` })
const ask = ({ operation, path }: SentRequest, headers: Headers) =>
  api.as(undefined).send(path, { method: operation.method, headers })

async function isRefused(
  t: Tap,
  request: SentRequest,
  { headers, status, code }: { readonly headers: Headers; readonly status: number; readonly code: string },
): Promise<void> {
  const answer = await ask(request, headers)
  t.equal(`${answer.status} ${answer.code}`, `${status} ${code}`, request.title)
  t.equal(answer.headers.get('cache-control'), 'no-store')
  const isDocument = request.operation.plane === 'document'
  t.equal(answer.at('/name'), isDocument ? 'EngineError' : undefined, 'document routes have their own error shape')
  t.equal(answer.at('/code'), isDocument ? code : undefined)
}

async function isLetThrough(t: Tap, request: SentRequest, headers: Headers): Promise<void> {
  const { status } = await ask(request, headers)
  t.notOk(status === 401 || status === 403 || status >= 500, `${request.title} is let through, and answers ${status}`)
}

type Tap = Pick<typeof t, 'equal' | 'notOk'>

const unauthenticated = { status: 401, code: 'Unauthenticated' }
const forbidden = { status: 403, code: 'Forbidden' }

const capabilitiesFor = (authority: Operation['authority']): Capability[] =>
  authority.kind === 'document'
    ? [...authority.capabilities, ...(authority.besides ?? []), ...(authority.oneOf?.[0]?.capabilities ?? [])]
    : []

/** Issues a token that may use the operation, except for the given overrides. */
function fitting({ authority }: Operation, more: JWTPayload = {}): Promise<string> {
  if (authority.kind === 'tenant') return signed({ tenant_id: 'acme', scope: [...authority.scopes], ...more })
  const needed = authority.kind === 'document' ? capabilitiesFor(authority) : ['*']
  return signed({ tenant_id: 'acme', doc_id: docId, scope: needed, ...more })
}

t.test('a token with exactly the scope of an operation is accepted, and so is the API token', async (t) => {
  for (const request of forBearers) await isLetThrough(t, request, bearer(await fitting(request.operation)))
  for (const request of forBearers) await isLetThrough(t, request, bearer(server.apiToken))
})

const unreadable: Readonly<Record<string, Headers>> = {
  'no token': {},
  'another scheme': { authorization: `Basic ${server.apiToken}` },
  'a token that is no token': bearer('nonsense'),
  'the API token with a letter more': bearer(`${server.apiToken}x`),
  'a token in two parts': bearer('eyJhbGciOiJIUzI1NiJ9.e30'),
}
for (const [title, headers] of Object.entries(unreadable)) {
  t.test(`${title} is 401 everywhere`, async (t) => {
    for (const request of guarded) await isRefused(t, request, { headers, ...unauthenticated })
  })
}

const dead: Readonly<Record<string, (operation: Operation) => Promise<string>>> = {
  'a token of another secret': (operation) =>
    signed(
      { tenant_id: 'acme', scope: ['*'], ...(operation.plane === 'document' ? { doc_id: docId } : {}) },
      Buffer.alloc(48, 'other').toString('base64'),
    ),
  'an expired token': (operation) => fitting(operation, { exp: Math.floor(Date.now() / 1000) - 1 }),
  'a revoked token': (operation) => fitting(operation, { jti: 'revoked' }),
  'a token older than what it names': (operation) => fitting(operation, { iat: Math.floor(Date.now() / 1000) - 3600 }),
  'a token of a scope nobody knows': (operation) => fitting(operation, { scope: ['doc.everything'] }),
  'a token without an id': (operation) => fitting(operation, { jti: '' }),
  'a token for another thing that had this name': (operation) => fitting(operation, { resource_id: 'gone' }),
}
await api.post('/v1/tenants/acme/tokens/revoked/revoke').then(done)
for (const [title, token] of Object.entries(dead)) {
  t.test(`${title} is 401 everywhere`, async (t) => {
    for (const request of forBearers) {
      await isRefused(t, request, { headers: bearer(await token(request.operation)), ...unauthenticated })
    }
  })
}

t.test('operations that need the API token refuse every other credential with 403', async (t) => {
  const tokens = [
    await signed({ tenant_id: 'acme', scope: ['*'] }),
    await signed({ tenant_id: 'acme', doc_id: docId, scope: ['*'] }),
  ]
  for (const request of guarded.filter(({ operation }) => operation.authority.kind === 'api-token')) {
    for (const token of tokens) await isRefused(t, request, { headers: bearer(token), ...forbidden })
  }
})

t.test('a tenant token is refused on document routes, and a document token on tenant routes', async (t) => {
  const ofTenant = bearer(await signed({ tenant_id: 'acme', scope: ['*'] }))
  const ofDocument = bearer(await signed({ tenant_id: 'acme', doc_id: docId, scope: ['*'] }))
  for (const request of forDocuments) await isRefused(t, request, { headers: ofTenant, ...forbidden })
  for (const request of forTenants) await isRefused(t, request, { headers: ofDocument, ...forbidden })
})

t.test("another tenant's token is 403", async (t) => {
  const headers = bearer(await signed({ tenant_id: 'other', scope: ['*'] }))
  for (const request of forTenants) await isRefused(t, request, { headers, ...forbidden })
  const claiming = bearer(await signed({ tenant_id: 'other', doc_id: docId, scope: ['*'] }))
  for (const request of forDocuments) await isRefused(t, request, { headers: claiming, ...forbidden })
})

t.test("another document's token is 403, of this tenant or of another", async (t) => {
  const tokens = [
    await signed({ tenant_id: 'acme', doc_id: 'minutes', scope: ['*'] }),
    await signed({ tenant_id: 'other', doc_id: 'others', scope: ['*'] }),
  ]
  for (const request of forDocuments) {
    for (const token of tokens) await isRefused(t, request, { headers: bearer(token), ...forbidden })
  }
})

t.test("another layer's token is 403 wherever the path names a layer", async (t) => {
  const headers = bearer(await signed({ tenant_id: 'acme', doc_id: docId, layer_name: 'draft', scope: ['*'] }))
  for (const request of forDocuments) {
    if (request.path.includes('/layers/')) await isRefused(t, request, { headers, ...forbidden })
    else await isLetThrough(t, request, headers)
  }
})

t.test('a document token without a needed capability gets 403, even with every other one', async (t) => {
  for (const request of forDocuments) {
    const { authority } = request.operation
    // Where one of several needs is enough, `test/server/changes/may-change-nothing.test.ts` has the rule.
    for (const needed of 'oneOf' in authority ? [] : capabilitiesFor(authority)) {
      const others = capabilities.filter((current: Capability) => !withImplied([current]).has(needed))
      const token = await fitting(request.operation, { scope: others })
      await isRefused(t, request, { headers: bearer(token), ...forbidden })
    }
  }
})

t.test('a tenant token without the scope gets 403, even with every other one', async (t) => {
  for (const request of forTenants) {
    const { authority } = request.operation
    const needed: readonly string[] = authority.kind === 'tenant' ? authority.scopes : []
    const others = tenantScopes.filter((scope) => scope !== '*' && !needed.includes(scope))
    const token = await fitting(request.operation, { scope: others })
    await isRefused(t, request, { headers: bearer(token), ...forbidden })
  }
})

t.test('tokens of a suspended tenant get 403, while the API token still works', async (t) => {
  const frozen = everyRequest({ ...names, tenantId: 'frozen', docId: 'ice' })
  for (const request of frozen) {
    const { kind } = request.operation.authority
    if (kind !== 'tenant' && kind !== 'document') continue
    const more = kind === 'document' ? { doc_id: 'ice' } : {}
    const token = await fitting(request.operation, { tenant_id: 'frozen', ...more })
    await isRefused(t, request, { headers: bearer(token), ...forbidden })
    await isLetThrough(t, request, bearer(server.apiToken))
  }
})

t.test('an origin that the token does not list is 403; a listed one, or no origin, is accepted', async (t) => {
  for (const request of forBearers) {
    const headers = bearer(await fitting(request.operation, { origins: ['https://*.example.com'] }))
    const code = request.operation.plane === 'document' ? 'Forbidden' : 'OriginNotAllowed'
    for (const origin of ['https://example.com', 'http://a.example.com', 'https://example.com.evil.test', 'null']) {
      await isRefused(t, request, { headers: { ...headers, origin }, status: 403, code })
    }
    await isLetThrough(t, request, { ...headers, origin: 'https://deep.in.example.com' })
    await isLetThrough(t, request, headers)
  }
})

t.test('a document password in a header is 403 without the API token, even if no password is needed', async (t) => {
  const password = { 'x-document-password': Buffer.from('secret').toString('base64') }
  for (const request of forBearers) {
    const headers = { ...bearer(await fitting(request.operation)), ...password }
    await isRefused(t, request, { headers, ...forbidden })
  }
  for (const request of forTenants) await isLetThrough(t, request, { ...bearer(server.apiToken), ...password })
})

t.test('a body is not read before the credential is checked', async (t) => {
  for (const request of guarded.filter(({ operation }) => operation.method !== 'GET')) {
    const sent = {
      method: request.operation.method,
      headers: { 'content-type': 'application/json' },
      body: '{ not json',
    }
    const { status } = await api.as('nonsense').send(request.path, sent)
    t.equal(status, 401, request.title)
  }
})

t.test('every refusal is logged with the caller, and without credentials', async (t) => {
  const token = await fitting({ ...first(forDocuments).operation }, { jti: 'to-be-audited', scope: ['doc.download'] })
  await ask(first(forDocuments), bearer(token))
  const lines = server
    .log()
    .split('\n')
    .filter((line) => line.includes('to-be-audited'))
  t.match(JSON.parse(first(lines)), { audit: 'refusal', caller: 'document', code: 'Forbidden', status: 403 })
  t.notMatch(server.log(), token)
  t.notMatch(server.log(), server.apiToken)
  t.notMatch(server.log(), Buffer.from('secret').toString('base64'))
  t.notMatch(server.log(), /eyJ/, 'no token of any kind')
})

function first<Item>(items: readonly Item[]): Item {
  const [item] = items
  if (item === undefined) throw new Error('there is none')
  return item
}
