// The OpenAPI document, and the page that renders it.

import { createServer } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { operations } from '../../server/api/index.js'
import { glossaries, meaningOf } from '../../server/openapi/members.js'
import { codesOn } from '../../server/refusals/refusal-codes.js'
import { capabilities } from '../../workers/contract/capabilities.js'
import { opContracts } from '../../workers/contract/ops/index.js'
import { runServer } from './support/running-server.js'

const server = await runServer(t)
const anyone = server.api.as(undefined)

t.test('/openapi.json is valid OpenAPI 3.1 by an independent validator', async (t) => {
  const answer = await anyone.get('/openapi.json')
  t.equal(answer.status, 200)
  t.match(answer.headers.get('content-type'), /^application\/json/)
  const validator = new Validator()
  const { valid, errors } = await validator.validate(Object(answer.json()))
  t.ok(valid, JSON.stringify(errors)?.slice(0, 2000))
  t.equal(validator.version, '3.1')
})

t.test('the document has every operation once, with credential, parameters and errors', async (t) => {
  const document = await anyone.get('/openapi.json')
  const described = Object.values(Object(document.at('/paths'))).flatMap((methods) => Object.values(Object(methods)))
  const ids = described.map((entry) => Object(entry).operationId)
  t.strictSame(ids.toSorted(), operations.map(({ name }) => name).toSorted())
  for (const { name, path, method, authority, isEndless = false, isChange = false, bodyOfLoneFile } of operations) {
    const entry = Object(Object(document.at('/paths'))[path.replace(/:(\w+)/g, '{$1}')])[method.toLowerCase()]
    const parameters: readonly { readonly name: string; readonly in: string }[] = entry.parameters ?? []
    const named = parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name)
    t.strictSame(named.toSorted(), [...path.matchAll(/:(\w+)/g)].map(([, word]) => word).toSorted(), name)
    t.strictSame(entry.security, authority.kind === 'none' ? [] : [{ bearer: [] }], name)
    const resumes = parameters.some((parameter) => parameter.name === 'Last-Event-ID')
    t.equal(resumes, isEndless, `${name}: Last-Event-ID is documented exactly for streams`)
    const events = entry.responses[200]?.content?.['text/event-stream']?.schema
    t.same(events, isEndless ? { $ref: '#/components/schemas/AuditEvent' } : undefined, `${name} says what it streams`)
    const takesSession = parameters.some((parameter) => parameter.name === 'X-Engine-Session-Id')
    t.equal(
      takesSession,
      isChange || name === 'doc.changes',
      `${name}: the session header is documented exactly for changes`,
    )
    const parts = entry.requestBody?.content['multipart/form-data']?.schema
    if (bodyOfLoneFile) t.ok(parts.anyOf[1].properties.file, `${name}: a file alone is accepted`)
    t.ok(entry.responses.default.content['application/json'].schema.$ref, name)
  }
})

t.test('the right that an operation needs is named, also where its body determines it', async (t) => {
  const document = await anyone.get('/openapi.json')
  const layer = '/v1/docs/{docId}/layers/{layerName}'
  const neededFor = (path: string) => Object(Object(document.at('/paths'))[`${layer}/${path}`]).post.description
  t.match(neededFor('changes'), /what each of the changes needs/)
  t.match(neededFor('links'), /what the read that `url` names needs/)
})

t.test('an operation-specific error code is documented for this operation only', async (t) => {
  const paths = Object(await anyone.get('/openapi.json').then((document) => document.at('/paths')))
  const answering = (code: string) =>
    Object.values(paths)
      .flatMap((methods) => Object.values(Object(methods)))
      .filter((entry) => JSON.stringify(Object(entry).responses).includes(`\`${code}\``))
      .map((entry) => String(Object(entry).operationId))
  t.same(answering('SourceRefused'), ['documents.importFrom'])
  t.same(answering('ShareExpired'), ['shares.exchange'])
  t.same(answering('Conflict').toSorted(), ['documents.importFrom', 'documents.init'])
  t.ok(answering('InvalidArg').length > 50)
})

t.test('each op and item of doc.changes has a named schema', async (t) => {
  const document = await anyone.get('/openapi.json')
  const path = '/paths/~1v1~1docs~1{docId}~1layers~1{layerName}~1changes/post'.replaceAll('~1', '\u0000')
  const described = path
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => Object(at)[name.replaceAll('\u0000', '/')], document.json())
  const schemas = Object(document.at('/components/schemas'))
  const inBody = Object(described).requestBody.content['application/json'].schema.properties.changes.items
  const op = inBody.anyOf[0].properties.ops.items
  const inAnswer = Object(described).responses[200].content['application/json'].schema.properties.changes.items
  const item = inAnswer.anyOf[0].properties.result.properties.items.items
  const types = opContracts.filter(({ isBatchable }) => isBatchable).map(({ type }) => type)
  t.same(Object.keys(op.discriminator.mapping), types)
  const onlyUndone = ['annotations.restore', 'forms.restore', 'forms.restoreWidget', 'skipped']
  t.same(Object.keys(item.discriminator.mapping), [...types, ...onlyUndone])
  for (const { oneOf, discriminator } of [op, item]) {
    for (const [index, [type, address]] of Object.entries(discriminator.mapping).entries()) {
      t.equal(oneOf[index].$ref, address)
      const schema = schemas[String(address).replace('#/components/schemas/', '')]
      t.equal(schema.properties.type.const, type)
    }
  }
  t.ok(schemas.AnnotationsCreateOp.properties.data, 'the schema has the members of the op')
  t.match(schemas.AnnotationsCreateItem.properties.annotation, { $ref: '#/components/schemas/Annotation' })
  for (const [, name = ''] of document.text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
    if (!(name in schemas)) t.fail(`${name} is missing`)
  }
  t.ok(document.bytes.length < 1_500_000, `${document.bytes.length} bytes`)
})

t.test('/docs works offline: its pages load everything from this server', async (t) => {
  const page = await anyone.get('/docs/')
  t.equal(page.status, 200)
  t.match(page.headers.get('content-type'), /^text\/html/)
  t.match(page.headers.get('content-security-policy'), /default-src 'self'/)
  const loaded = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address)
  t.ok(loaded.length >= 3)
  for (const address of loaded) {
    t.notMatch(address, /^(?:https?:)?\/\//)
    const answer = await anyone.get(new URL(address, `${server.url}/docs/`).pathname)
    t.equal(answer.status, 200, address)
    if (/css/.test(address))
      t.notMatch(answer.text, /url\(["']?(?:https?:)?\/\//, `${address} loads nothing from elsewhere`)
  }
  const initializer = await anyone.get('/docs/static/swagger-initializer.js')
  t.match(initializer.text, 'SwaggerUIBundle')
  t.notMatch(initializer.text, 'validator.swagger.io')
  const shown = await anyone.get('/docs/json')
  t.strictSame(Object(shown.json()).paths, (await anyone.get('/openapi.json')).at('/paths'))
})

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

async function description(): Promise<Members> {
  return Object((await anyone.get('/openapi.json')).json())
}

/** Returns every operation with its id. */
const entriesOf = ({ paths }: Members): readonly Members[] =>
  Object.values(Object(paths)).flatMap((methods) => Object.values(Object(methods)).filter(isMembers))

const mediaOf = (value: unknown): readonly Members[] => Object.values(Object(Object(value).content)).filter(isMembers)

/** Returns every top-level schema of the document: parameters, bodies, responses, components. */
function schemasOf(document: Members): readonly (readonly [string, unknown])[] {
  const inOperations = entriesOf(document).flatMap((entry) => {
    const parameters: readonly Members[] = Object(entry).parameters ?? []
    const answers = Object.values(Object(entry.responses)).flatMap(mediaOf)
    return [...parameters, ...mediaOf(entry.requestBody), ...answers].flatMap(({ name, schema }) =>
      schema === undefined ? [] : [[`${entry.operationId} ${name ?? ''}`, schema] as const],
    )
  })
  return [...inOperations, ...Object.entries(Object(Object(document.components).schemas))]
}

t.test('every schema of the OpenAPI document compiles as JSON Schema 2020-12', async (t) => {
  const document = await description()
  // Every schema is compiled once, and those that refer to it call it.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, inlineRefs: false, code: { optimize: false } })
  ajv.addSchema({ ...document, $id: 'https://steward.test/openapi.json' })
  const all = schemasOf(document)
  t.ok(all.length > 500)
  for (const [where, schema] of all) {
    const text = JSON.stringify(schema).replaceAll('"#/', '"https://steward.test/openapi.json#/')
    t.doesNotThrow(() => ajv.compile(JSON.parse(text)), where)
    // The server runs in this process: it closes connections that were idle for long, before the next request takes one.
    await setImmediate()
  }
})

t.test('text anchors are pairs in the schema', async (t) => {
  const document = await description()
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const text = entriesOf(document).find(({ operationId }) => operationId === 'doc.text')
  const [media] = mediaOf(Object(text?.responses)['200'])
  const check = ajv.compile(Object(media?.schema))
  t.ok(check({ text: 'x', charCount: 1, charMap: [[0, 0]] }))
  for (const wrong of [[0], [0, 0, 0], ['0', 0], [-1, 0]]) {
    t.notOk(check({ text: 'x', charCount: 1, charMap: [wrong] }), JSON.stringify(wrong))
  }
})

t.test('every operation lists its error statuses, with all existing codes', async (t) => {
  const document = await description()
  const schemas = Object(Object(document.components).schemas)
  const listed = (where: 'documents' | 'tenants') => codesOn(where).map(([code]) => code)
  t.same(schemas.EngineError.properties.code.enum, listed('documents'))
  t.same(schemas.TenantError.properties.error.properties.code.enum, listed('tenants'))
  for (const code of ['RangeNotSatisfiable', 'TooManyRequests']) t.notOk(listed('documents').includes(code))
  for (const { operationId, responses, security } of entriesOf(document)) {
    const statuses = Object.keys(Object(responses))
    t.ok(statuses.includes('400') && statuses.includes('500') && statuses.includes('default'), `${operationId}`)
    if (Object(security).length > 0) t.ok(statuses.includes('401') && statuses.includes('403'), `${operationId}`)
    for (const status of statuses.filter((status) => status >= '400')) {
      const { description, content } = Object(Object(responses)[status])
      t.ok(content['application/json'].schema.$ref, `${operationId} ${status}`)
      t.ok(description.length > 10, `${operationId} ${status}: ${description}`)
    }
  }
})

t.test('each error code is explained on a page that the OpenAPI document links to', async (t) => {
  const { externalDocs } = await description()
  const page = await anyone.get(new URL(Object(externalDocs).url, `${server.url}/openapi.json`).pathname)
  t.equal(page.status, 200)
  for (const [code, { meaning, remedy }] of [...codesOn('documents'), ...codesOn('tenants')]) {
    t.match(page.text, `<tr id="${code}">`)
    t.ok(meaning.length > 20 && remedy.length > 3)
  }
})

t.test('every parameter and every member of bodies and responses has a description', async (t) => {
  const document = await description()
  for (const { operationId, parameters = [] } of entriesOf(document)) {
    for (const { name, description } of Object(parameters)) t.ok(description, `${operationId} ${name}`)
  }
  const walk = (schema: unknown, where: string): void => {
    if (Array.isArray(schema)) for (const one of schema) walk(one, where)
    if (!isMembers(schema)) return
    for (const [name, member] of Object.entries(Object(schema.properties))) {
      if (!Object(member).description) t.fail(`${where}.${name}`)
      walk(member, `${where}.${name}`)
    }
    for (const inner of [schema.items, schema.anyOf, schema.oneOf]) walk(inner, where)
  }
  for (const [where, schema] of schemasOf(document)) walk(schema, where)
  t.equal(meaningOf(['nothing', 'unheardOf']), undefined)
})

t.test('members that several operations have are described for each of them', async (t) => {
  const entries = glossaries.flatMap((list) => Object.keys(list))
  t.same(
    entries.filter((entry, place) => entries.indexOf(entry) !== place),
    [],
    'no two lists have the same entry',
  )
  const document = await description()
  const described = (operationId: string, direction: 'requestBody' | 'responses', member: string) => {
    const operation = entriesOf(document).find((one) => one.operationId === operationId)
    const content = direction === 'requestBody' ? operation?.requestBody : Object(operation?.responses)['200']
    return Object(Object(mediaOf(content)[0]?.schema).properties)[member]?.description
  }
  t.match(described('tenants.create', 'responses', 'created'), /this request created the tenant/)
  t.match(described('doc.annotations.import', 'responses', 'created'), /^Annotations that the import created/)
  t.match(described('doc.annotations.import', 'requestBody', 'values'), /^True: sets the values of the fields/)
  for (const name of ['mark', 'previewMarks']) {
    t.match(described(`doc.annotations.${name}`, 'requestBody', 'pages'), /^Pages to search/)
    t.match(described(`doc.annotations.${name}`, 'responses', 'pages'), /^Counts of the pages/)
  }
  t.match(meaningOf(['doc.annotations.import', 'multipart', 'body', 'values']), /^True: sets the values/)
  t.match(meaningOf(['AnnotationsMarkOp', 'pages']), /^Pages to search/)
  t.match(meaningOf(['AnnotationsMarkItem', 'pages']), /^Counts of the pages/)
})

t.test(
  'integers that may exceed 32 bits are int64, scopes are listed, strict bodies are strict in the document',
  async (t) => {
    const document = await description()
    const schemas = Object(Object(document.components).schemas)
    t.equal(schemas.CacheDelta.properties.docVersion.format, 'int64')
    t.equal(schemas.Share.properties.scope.items.anyOf[0].enum.includes(capabilities[0]), true)
    const collab = new RegExp(schemas.Share.properties.scope.items.anyOf[1].pattern, 'u')
    for (const scope of ['annotations:create:self', 'annotations:*:group=a:b']) t.match(scope, collab)
    t.notMatch('annotations:create', collab)
    const redact = entriesOf(document).find(({ operationId }) => operationId === 'doc.redactions.apply')
    t.equal(
      mediaOf(redact?.requestBody)[0]?.schema && Object(mediaOf(redact?.requestBody)[0]?.schema).additionalProperties,
      false,
    )
  },
)

t.test('the page works over plain HTTP under any host name, and shows no foreign logo', async (t) => {
  const page = await anyone.get('/docs/')
  t.notMatch(page.headers.get('content-security-policy'), /upgrade-insecure-requests/)
  t.match(page.text, '<title>Steward document server</title>')
  const initializer = await anyone.get('/docs/static/swagger-initializer.js')
  t.match(initializer.text, 'BaseLayout')
  t.notMatch(initializer.text, /data:image/)
})

t.test('behind a proxy with a path prefix, page and document link to the server', async (t) => {
  const proxy = createServer(async (request, response) => {
    const path = (request.url ?? '').replace(/^\/steward(?=\/)/, '')
    const answer = path === request.url ? undefined : await fetch(`${server.url}${path}`, { redirect: 'manual' })
    response.writeHead(answer?.status ?? 599, { location: answer?.headers.get('location') ?? '' })
    response.end(await answer?.text())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  t.teardown(() => proxy.close())
  const { port } = Object(proxy.address())
  const base = `http://127.0.0.1:${port}/steward`
  const page = await fetch(`${base}/docs`)
  t.equal(page.url, `${base}/docs/`)
  const loaded = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address)
  for (const address of [...loaded, './json']) {
    t.equal((await fetch(new URL(address, page.url))).status, 200, address)
  }
  for (const address of [`${base}/openapi.json`, `${base}/docs/json`]) {
    const { servers, externalDocs } = Object(await (await fetch(address)).json())
    t.equal(new URL(servers[0].url, address).href.replace(/\/$/, ''), base)
    t.equal(new URL(externalDocs.url, address).href, `${base}/errors`)
  }
})
