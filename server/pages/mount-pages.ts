// Pages for people: `/view/DOCUMENT` and share links `/s/SHARE` show a document in a browser.
import type { FastifyInstance } from 'fastify'
import { FixedContent } from '../http/fixed-content.js'
import { builtFile, builtPages } from './built-pages.js'
import { pageHeaders, pageHtml } from './page-html.js'

const types: Readonly<Record<string, string>> = {
  js: 'application/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/** Names of files change with their content. */
const forGood = 'public, max-age=31536000, immutable'

export function mountPages(app: FastifyInstance): void {
  const { viewer } = builtPages()
  if (viewer === undefined) throw new Error('The build has no page "viewer"')
  for (const name of [viewer.script, viewer.style]) mountFile(app, name)
  const page = new FixedContent({ type: 'text/html; charset=utf-8', make: () => pageHtml('Document', viewer) })
  for (const path of ['/view/:docId', '/s/:shareId']) {
    app.get(path, (request, reply) => page.send(request, reply.headers(pageHeaders)))
  }
}

function mountFile(app: FastifyInstance, name: string): void {
  const type = types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
  const file = new FixedContent({ type, make: () => builtFile(name), cacheControl: forGood })
  app.get(`/pages/${name}`, (request, reply) => file.send(request, reply.header('X-Content-Type-Options', 'nosniff')))
}
