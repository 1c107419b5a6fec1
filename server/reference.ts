// `/openapi.json` for programs, `/docs` and `/errors` for people. The pages are self-contained and work offline, over
// plain HTTP, under any host name, and behind any path prefix of a proxy.
import { createHash } from 'node:crypto'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { type Coding, codingFor, compressed, tagIn, varyByCoding } from './http/compression.js'
import { errorsHtml } from './openapi/errors-page.js'
import { openApiOf } from './openapi.js'
import type { Operation } from './operation.js'

export interface ReferenceOptions {
  readonly operations: readonly Operation[]
  /** Version of Steward. */
  readonly version: string
  readonly publicUrl: string | undefined
}

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect x="3" y="1" width="10" height="14" fill="#345"/></svg>'

export async function mountReference(app: FastifyInstance, options: ReferenceOptions): Promise<void> {
  const { operations, version, publicUrl } = options
  const from = (url: string) => openApiOf(operations, { version, url: publicUrl?.replace(/\/+$/, '') ?? url })
  mountFixed(app, '/openapi.json', { type: 'application/json; charset=utf-8', text: JSON.stringify(from('.')) })
  mountFixed(app, '/errors', { type: 'text/html; charset=utf-8', text: errorsHtml() })
  // The package's types know OpenAPI 3.0 only; at run time it passes the document to the page, which is one folder
  // below.
  await app.register(swagger, { mode: 'static', specification: { document: from('..') as never } })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    // The plain layout has no bar with a logo.
    uiConfig: { docExpansion: 'list', deepLinking: true, tryItOutEnabled: false, layout: 'BaseLayout' },
    logo: null as never,
    theme: {
      title: 'Steward document server',
      favicon: [
        { filename: 'icon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: Buffer.from(icon) as never },
      ],
    },
    staticCSP: true,
    // A server that speaks plain HTTP shows nothing if the page upgrades its scripts to https.
    transformStaticCSP: (header) => header.replace(/\s*upgrade-insecure-requests;/, ''),
    uiHooks: {
      // Links of the page are relative to its folder.
      onRequest: (request, reply, done) => {
        if (request.url.split('?')[0]?.endsWith('/docs')) reply.redirect('docs/')
        else done()
      },
    },
  })
}

/** Serves content that is fixed while the server runs; it is compressed once per coding, on first use. */
function mountFixed(
  app: FastifyInstance,
  path: string,
  { type, text }: { readonly type: string; readonly text: string },
) {
  const bytes = Buffer.from(text, 'utf8')
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
  const made = new Map<Coding, Promise<Buffer>>()
  app.get(path, async (request, reply) => {
    const coding = codingFor(request)
    const tag = tagIn(coding, etag)
    reply.type(type).header('ETag', tag).header('Cache-Control', 'no-cache')
    if (request.headers['if-none-match'] === tag) {
      varyByCoding(reply)
      return reply.code(304).send()
    }
    if (coding === undefined) return bytes
    const sent = made.get(coding) ?? compressed(bytes, coding)
    made.set(coding, sent)
    varyByCoding(reply)
    return reply.header('Content-Encoding', coding).send(await sent)
  })
}
