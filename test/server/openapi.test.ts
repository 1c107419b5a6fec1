// The description of the server, and the page that shows it.
import { Validator } from '@seriousme/openapi-schema-validator'
import t from 'tap'
import { operations } from '../../server/operations.js'
import { wireOps } from '../../workers/shapes/changes/index.js'
import { runServer } from './support/running-server.js'

const server = await runServer(t)
const anyone = server.api.as(undefined)

t.test('/openapi.json is OpenAPI 3.1, as a validator that is not ours says', async (t) => {
  const answer = await anyone.get('/openapi.json')
  t.equal(answer.status, 200)
  t.match(answer.headers.get('content-type'), /^application\/json/)
  const validator = new Validator()
  const { valid, errors } = await validator.validate(Object(answer.json()))
  t.ok(valid, JSON.stringify(errors)?.slice(0, 2000))
  t.equal(validator.version, '3.1')
})

t.test('it has every operation of the table once, with its credential, its parameters and its errors', async (t) => {
  const document = await anyone.get('/openapi.json')
  const described = Object.values(Object(document.at('/paths'))).flatMap((methods) => Object.values(Object(methods)))
  const ids = described.map((entry) => Object(entry).operationId)
  t.strictSame(ids.toSorted(), operations.map(({ name }) => name).toSorted())
  for (const { name, path, method, authority, isEndless = false, bodyOfLoneFile } of operations) {
    const entry = Object(Object(document.at('/paths'))[path.replace(/:(\w+)/g, '{$1}')])[method.toLowerCase()]
    const parameters: readonly { readonly name: string; readonly in: string }[] = entry.parameters ?? []
    const named = parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name)
    t.strictSame(named.toSorted(), [...path.matchAll(/:(\w+)/g)].map(([, word]) => word).toSorted(), name)
    t.strictSame(entry.security, authority.kind === 'none' ? [] : [{ bearer: [] }], name)
    const resumes = parameters.some((parameter) => parameter.name === 'Last-Event-ID')
    t.equal(resumes, isEndless, `${name} says how it is resumed`)
    const parts = entry.requestBody?.content['multipart/form-data']?.schema
    if (bodyOfLoneFile) t.ok(parts.anyOf[1].properties.file, `${name} takes a file alone`)
    t.ok(entry.responses.default.content['application/json'].schema.$ref, name)
  }
})

t.test('each op of doc.changes, and each item, is described under a name by its type', async (t) => {
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
  t.same(Object.keys(op.discriminator.mapping), Object.keys(wireOps))
  const onlyUndone = ['annotations.restore', 'forms.restore', 'forms.restoreWidget', 'skipped']
  t.same(Object.keys(item.discriminator.mapping), [...Object.keys(wireOps), ...onlyUndone])
  for (const { oneOf, discriminator } of [op, item]) {
    for (const [index, [type, address]] of Object.entries(discriminator.mapping).entries()) {
      t.equal(oneOf[index].$ref, address)
      const schema = schemas[String(address).replace('#/components/schemas/', '')]
      t.equal(schema.properties.type.const, type)
    }
  }
  t.ok(schemas.AnnotationsCreateOp.properties.data, 'with its members')
  t.match(schemas.AnnotationsCreateItem.properties.annotation, { $ref: '#/components/schemas/Annotation' })
  for (const [, name = ''] of document.text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
    if (!(name in schemas)) t.fail(`${name} is nowhere`)
  }
  t.ok(document.bytes.length < 1_500_000, `${document.bytes.length} bytes`)
})

t.test('/docs works without a network: everything its pages load comes from this server', async (t) => {
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
