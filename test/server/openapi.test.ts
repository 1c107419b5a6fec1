// The description of the server, and the page that shows it.
import { Validator } from '@seriousme/openapi-schema-validator'
import t from 'tap'
import { operations } from '../../server/operations.js'
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
  for (const { name, path, method, authority } of operations) {
    const entry = Object(Object(document.at('/paths'))[path.replace(/:(\w+)/g, '{$1}')])[method.toLowerCase()]
    const parameters: readonly { readonly name: string; readonly in: string }[] = entry.parameters ?? []
    const named = parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name)
    t.strictSame(named.toSorted(), [...path.matchAll(/:(\w+)/g)].map(([, word]) => word).toSorted(), name)
    t.strictSame(entry.security, authority.kind === 'none' ? [] : [{ bearer: [] }], name)
    t.ok(entry.responses.default.content['application/json'].schema.$ref, name)
  }
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
