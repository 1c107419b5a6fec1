// A provider whose errors repeat sent values, escaped, encoded, truncated or in pieces: no secret is printed.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { isObject } from '../../../core/value/tree.js'
import { agentsHere } from '../in-process.js'
import { agents } from '../program.js'
import { scratchFolder } from '../scratch.js'

const values = {
  'a token': 'Tok-Zq77k_5ecret+x/y=',
  'quotes and others': 'zq77k" \\é漢😀 <&>%+?#\' end-zq77k',
  'several lines': '-----BEGIN zq77k-----\r\nMIIEzq77k+abc/def==\r\n-----END zq77k-----\r\n',
} as const

const base64 = (bytes: string) => Buffer.from(bytes).toString('base64')

const echoes: Readonly<Record<string, (value: string, body: string) => string>> = {
  'as it is': (value) => `bad value ${value} here`,
  'the request': (_, body) => `bad request ${body}`,
  'the request in JSON': (_, body) => JSON.stringify({ body }),
  'JSON in ASCII': (value) =>
    JSON.stringify(value).replaceAll(
      /[^\x20-\x7e]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  'without blanks around it': (value) => `bad value ${value.trim()}!`,
  'in one line': (value) => value.replaceAll(/\s+/g, ' '),
  'with Unix line ends': (value) => value.replaceAll('\r', ''),
  'its second line': (value) => `bad line ${value.split('\r\n')[1] ?? value}`,
  'in small letters': (value) => value.toLowerCase(),
  percent: (value) => `/v1/${encodeURIComponent(value)}`,
  'of a URL': (value) => encodeURI(value),
  'of a form': (value) => new URLSearchParams({ value }).toString(),
  HTML: (value) =>
    value
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;'),
  base64: (value) => base64(value),
  'base64 behind one byte': (value) => base64(`a${value}`),
  'base64 behind two bytes': (value) => base64(`ab${value}cd`),
  'base64 for URLs': (value) => Buffer.from(value).toString('base64url'),
  'cut after 2,000 characters': (value) => `${'x'.repeat(1_985)}${value.trim().replaceAll('\r', '')}`,
}

const shown = /zq77k/i

for (const [what, value] of Object.entries(values))
  t.test(`${what} that a provider returns`, async (t) => {
    const folder = scratchFolder(t)
    const echo = { how: '', isPage: false }
    const server = createServer(async (request, response) => {
      const body = await text(request)
      if (request.method === 'GET')
        return response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[],"has_more":false}')
      const sent: unknown = JSON.parse(body)
      const found = isObject(sent) ? String(sent['system']) : ''
      const message = echoes[echo.how]?.(found, body) ?? ''
      if (echo.isPage) return response.writeHead(400, { 'content-type': 'text/html' }).end(`<p>${message}`)
      return response
        .writeHead(400, { 'content-type': 'application/json' })
        .end(JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } }))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.teardown(() => server.close())
    const { port } = server.address() as AddressInfo // Address of a server that listens on a port.
    writeFileSync(
      join(folder, 'agents.yaml'),
      `version: "1"
providers: { claude: { api_key: x, base_url: "http://127.0.0.1:${port}" } }
agents: { a: { model: claude-sonnet-4-5, instructions: "\${TAINT}" } }
`,
    )
    for (const [index, how] of Object.keys(echoes).entries())
      for (const isPage of index % 4 === 0 ? [false, true] : [false]) {
        Object.assign(echo, { how, isPage })
        const run = index === 0 ? agents : agentsHere
        const words = ['apply', '--yes', '--verbose', ...(index % 2 === 0 ? ['--json'] : [])]
        const { stdout, stderr } = await run(words, { folder, env: { TAINT: value } })
        t.match(stdout + stderr, /400/, how)
        for (const piece of [stdout + stderr, ...decoded(stdout + stderr)])
          t.notMatch(piece, shown, `${how}${isPage ? ' in a page' : ''}`)
      }
  })

function decoded(output: string): readonly string[] {
  return [...output.matchAll(/[\w+/-]{12,}/g)].flatMap(([run]) =>
    [0, 1, 2, 3].map((start) => Buffer.from(run.slice(start), 'base64').toString('latin1')),
  )
}
