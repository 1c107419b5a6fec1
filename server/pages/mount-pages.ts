// Pages for people: `/view/DOCUMENT` and share links `/s/SHARE` show a document in a browser, `/console` is for operators.
import type { FastifyInstance } from 'fastify'
import { FixedContent } from '../http/fixed-content.js'
import { type BuiltPage, builtFile, builtPages } from './built-pages.js'
import { pageHeaders, pageHtml } from './page-html.js'

const types: Readonly<Record<string, string>> = {
  js: 'application/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/** Names of files change with their content. */
const forGood = 'public, max-age=31536000, immutable'

interface Page {
  readonly paths: readonly string[]
  readonly title: string
  /** Folder of the server, as seen from the page. */
  readonly root: string
}

/** By their names in the build. */
const pages: Readonly<Record<string, Page>> = {
  viewer: { paths: ['/view/:docId', '/s/:shareId'], title: 'Document', root: '../' },
  console: { paths: ['/console'], title: 'Console', root: '' },
}

export function mountPages(app: FastifyInstance): void {
  const built = builtPages()
  for (const [name, page] of Object.entries(pages)) {
    const files = built[name]
    if (files === undefined) throw new Error(`The build has no page "${name}"`)
    mountPage(app, page, files)
  }
}

function mountPage(app: FastifyInstance, { paths, title, root }: Page, files: BuiltPage): void {
  for (const name of [files.script, files.style]) mountFile(app, name)
  const page = new FixedContent({ type: 'text/html; charset=utf-8', make: () => pageHtml(title, root, files) })
  for (const path of paths) app.get(path, (request, reply) => page.send(request, reply.headers(pageHeaders)))
}

function mountFile(app: FastifyInstance, name: string): void {
  const type = types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
  const file = new FixedContent({ type, make: () => builtFile(name), cacheControl: forGood })
  app.get(`/pages/${name}`, (request, reply) => file.send(request, reply))
}
