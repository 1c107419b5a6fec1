// `/openapi.json` for programs, `/docs` and `/errors` for people. The pages are self-contained and work offline, over
// plain HTTP, under any host name, and behind any path prefix of a proxy.
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { stringify } from 'yaml'
import { type Content, FixedContent } from '../http/fixed-content.js'
import type { Operation } from '../operation/operation.js'
import { errorsHtml } from './errors-page.js'
import { openApiOf } from './openapi.js'

export interface ReferenceOptions {
  readonly operations: readonly Operation[]
  /** Version of Steward. */
  readonly version: string
  readonly publicUrl: string | undefined
}

const jsonType = 'application/json; charset=utf-8'

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect x="3" y="1" width="10" height="14" fill="#345"/></svg>'

export async function mountReference(app: FastifyInstance, options: ReferenceOptions): Promise<void> {
  const { operations, version, publicUrl } = options
  const from = (url: string) => openApiOf(operations, { version, url: publicUrl?.replace(/\/+$/, '') ?? url })
  mountFixed(app, '/openapi.json', { type: jsonType, make: () => JSON.stringify(from('.')) })
  mountFixed(app, '/errors', { type: 'text/html; charset=utf-8', make: errorsHtml }, plainPageHeaders)
  // This address redirects like `/docs/`.
  app.get('/errors/', (_request, reply) => reply.redirect('../errors'))
  // The page is one folder deeper, so it needs copies of the files.
  const copies = new Map([
    ['/json', new FixedContent({ type: jsonType, make: () => JSON.stringify(from('..')) })],
    ['/yaml', new FixedContent({ type: 'application/x-yaml', make: () => stringify(from('..')) })],
  ])
  // The page needs a document of this package, but shows the copies, which nobody waits for when the server starts.
  await app.register(swagger, { mode: 'static', specification: { document: { openapi: '3.0.0' } as never } })
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
      onRequest: async (request, reply) => {
        const [path = ''] = request.url.split('?')
        // Links of the page are relative to its folder.
        if (path.endsWith('/docs')) return reply.redirect('docs/')
        // Serves prepared copies, because the package would generate the files for every request.
        return copies.get(path.slice('/docs'.length))?.send(request, reply)
      },
    },
  })
}

/** The page has no script, no style and no picture. */
const plainPageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
}

function mountFixed(
  app: FastifyInstance,
  path: string,
  content: Content,
  headers: Readonly<Record<string, string>> = {},
): void {
  const fixed = new FixedContent(content)
  app.get(path, (request, reply) => fixed.send(request, reply.headers(headers)))
}
