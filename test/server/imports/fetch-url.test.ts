// Responses of import sources: headers, bodies, certificates and timing, well-behaved or hostile.
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import v8 from 'node:v8'
import { runInNewContext } from 'node:vm'
import t, { type Test } from 'tap'
import { certificateFor } from '../../support/certificate.js'
import {
  httpSource,
  type Importing,
  importFrom,
  rawSource,
  refuses,
  type Source,
  secret,
  socketSource,
} from './support/source.js'

const head = (...lines: readonly string[]) => `${['HTTP/1.1 200 OK', ...lines].join('\r\n')}\r\n\r\n`

/** Returns the refusal of an import whose source sends this response. */
async function answering(t: Test, answer: string, code: string, says: RegExp, importing: Importing = {}) {
  const { url } = await rawSource(t, answer)
  await refuses(t, importFrom(url, importing), code, says, JSON.stringify(answer.slice(0, 60)))
}

/** Resolves when the only connection to the source ends. */
async function hangsUp({ sockets: [socket] }: Source): Promise<boolean> {
  if (socket && !socket.destroyed) await new Promise((resolve) => socket.once('close', resolve))
  return socket?.destroyed === true
}

t.test('the bytes and their declared length arrive; the request has Host and identity encoding', async (t) => {
  const source = await httpSource(t, ({ url, headers }, response) => {
    const text = JSON.stringify({ url, headers })
    response.setHeader('Content-Length', text.length).end(text)
  })
  const resolve = async () => ['127.0.0.1']
  const url = `http://files.example:${source.port}/a%20b/c?signature=1&x=%2F#page`
  const received: unknown = JSON.parse(String(await importFrom(url, { resolve })))
  t.same(received, {
    url: '/a%20b/c?signature=1&x=%2F',
    headers: {
      host: `files.example:${source.port}`,
      accept: 'application/pdf, */*;q=0.5',
      'accept-encoding': 'identity',
      connection: 'close',
    },
  })
  t.equal(await importFrom(source.url, { take: async ({ sizeBytes }) => sizeBytes > 0 }), true)
})

t.test('an empty body is imported', async (t) => {
  t.equal(await importFrom((await rawSource(t, head('Content-Length: 0'))).url), '')
})

t.test('if an address does not answer, the next one of the host is tried', async (t) => {
  const { port, sockets } = await rawSource(t, `${head('Content-Length: 2')}ok`)
  const resolve = async () => ['127.0.0.3', '127.0.0.1']
  t.equal(await importFrom(`http://two.example:${port}/`, { allow: ['127.0.0.0/8'], resolve }), 'ok')
  t.equal(sockets.length, 1)
  const many = async () => Array.from({ length: 50 }, () => '127.0.0.1')
  const broken = await socketSource(t, (socket) => socket.destroy())
  const work = importFrom(`http://many.example:${broken.port}/${secret}`, { resolve: many })
  await refuses(t, work, 'UpstreamFailed', /ECONNRESET/)
  t.equal(broken.sockets.length, 4, 'the number of tried addresses is limited')
})

t.test('4.10: sources must declare a length', async (t) => {
  const says = /does not declare a length/
  await answering(t, `${head('Transfer-Encoding: chunked')}5\r\nhello\r\n0\r\n\r\n`, 'ImportRefused', says)
  await answering(t, `${head()}until the connection ends`, 'ImportRefused', says)
})

t.test('4.10: a file above the size limit is refused before its first byte', async (t) => {
  const { url, sockets } = await rawSource(t, head('Content-Length: 1000'))
  const take = async () => t.fail('The body was read')
  await refuses(t, importFrom(url, { sizeBytesMax: 999, take }), 'ImportRefused', /above 999 bytes/)
  await refuses(t, importFrom(url, { sizeBytesMax: 999, take }), 'ImportRefused', /above 999 bytes/)
  t.equal(sockets.length, 2)
  await answering(t, head(`Content-Length: ${'9'.repeat(19)}`), 'ImportRefused', /above/)
})

t.test('content-encoded bytes are refused, because their length is not that of the file', async (t) => {
  for (const encoding of ['gzip', 'GZIP', 'br', 'deflate', 'identity, gzip', 'x-unknown']) {
    const answer = `${head('Content-Length: 2', `Content-Encoding: ${encoding}`)}ok`
    await answering(t, answer, 'ImportRefused', /encoded/)
  }
  t.equal(
    await importFrom((await rawSource(t, `${head('Content-Length: 2', 'Content-Encoding: Identity')}ok`)).url),
    'ok',
  )
})

t.test(
  '4.10: only 200 is success; what the source will not do another time either is no upstream failure',
  async (t) => {
    for (const status of [400, 401, 403, 404, 410, 451]) {
      const answer = head('Content-Length: 0').replace('200 OK', `${status} ${secret}`)
      await answering(t, answer, 'SourceRefused', new RegExp(`answered with status ${status}$`))
    }
    for (const status of [201, 204, 206, 300, 304, 305, 408, 425, 429, 500, 502, 503]) {
      const answer = head('Content-Length: 0').replace('200 OK', `${status} ${secret}`)
      await answering(t, answer, 'UpstreamFailed', new RegExp(`answered with status ${status}$`))
    }
  },
)

t.test('4.10: a response that is not HTTP is an upstream failure', async (t) => {
  for (const answer of [
    `SSH-2.0-${secret}\r\n`,
    '',
    '\r\n\r\n',
    head('Content-Length: -1'),
    head('Content-Length: 0x10'),
    head('Content-Length: 1', 'Content-Length: 2'),
    head('Content-Length: 5', 'Transfer-Encoding: chunked'),
    head('Content-Length: 5', `X: ${'x'.repeat(100_000)}`),
    'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Le',
  ]) {
    await answering(t, answer, 'UpstreamFailed', /cannot be read \((HPE_|ECONNRESET)|no response/)
  }
})

t.test('4.10: a body shorter than declared is an upstream failure, however it ends', async (t) => {
  await answering(t, `${head('Content-Length: 10')}short`, 'UpstreamFailed', /ECONNRESET|fewer bytes/)
  await answering(t, head('Content-Length: 10'), 'UpstreamFailed', /ECONNRESET|fewer bytes/)
  const reset = await socketSource(t, (socket) =>
    socket.once('data', () => socket.write(`${head('Content-Length: 10')}short`, () => socket.resetAndDestroy())),
  )
  await refuses(t, importFrom(reset.url), 'UpstreamFailed', /ECONNRESET/)
})

t.test('of a body longer than declared, only the declared length is read', async (t) => {
  const { url } = await rawSource(t, `${head('Content-Length: 5')}hello, and more`)
  t.equal(await importFrom(url), 'hello')
})

t.test('an endless body is cut off at its declared length, and the connection closed', async (t) => {
  const source = await socketSource(t, (socket) => {
    const more = () => {
      while (socket.writable && socket.write(Buffer.alloc(65_536, 'x')));
    }
    socket.once('data', () => {
      socket.write(head('Content-Length: 500000'))
      socket.on('drain', more)
      more()
    })
  })
  t.equal(String(await importFrom(source.url)).length, 500_000)
  t.ok(await hangsUp(source))
})

t.test('if the reader stops, the connection to the source is closed at once', async (t) => {
  const source = await httpSource(t, (_request, response) =>
    response.setHeader('Content-Length', 1_000_000).write('the beginning'),
  )
  const left = importFrom(source.url, {
    take: async ({ bytes }) => {
      for await (const _ of bytes) throw new Error('the disk is full')
    },
  })
  await t.rejects(left, { message: 'the disk is full' })
  t.ok(await hangsUp(source))
})

t.test('4.10: a silent source is aborted: before, within and after its headers, and in the handshake', async (t) => {
  const timeouts = { connectMs: 60, idleMs: 60 }
  const slow = /did not respond within 0.06 s/
  const deaf = await socketSource(t, () => {})
  await refuses(t, importFrom(deaf.url, { timeouts }), 'UpstreamFailed', slow, 'no head')
  await refuses(t, importFrom(deaf.url.replace('http', 'https'), { timeouts }), 'UpstreamFailed', slow, 'no handshake')
  const written = (text: string) => socketSource(t, (socket) => socket.once('data', () => socket.write(text)))
  for (const text of ['HTTP/1.1 200 OK\r\nContent-', head('Content-Length: 10'), `${head('Content-Length: 10')}half`]) {
    await refuses(t, importFrom((await written(text)).url, { timeouts }), 'UpstreamFailed', slow, text)
  }
  const resolve = () => new Promise<never>(() => {})
  const unknown = importFrom(`http://${secret}.example/`, { timeouts, resolve })
  await refuses(t, unknown, 'UpstreamFailed', slow, 'no address')
})

t.test('4.10: a source that sends too slowly is aborted: in its body, and before its headers', async (t) => {
  const trickle = (first: string, more: string) =>
    socketSource(t, (socket) => {
      const timer = setInterval(() => socket.write(more), 10)
      socket.once('close', () => clearInterval(timer))
      socket.once('data', () => socket.write(first))
    })
  const body = await trickle(head('Content-Length: 100000'), 'x')
  const total = importFrom(body.url, { timeouts: { idleMs: 1000, totalMs: 200 } })
  await refuses(t, total, 'UpstreamFailed', /did not finish in 0.2 s/)
  const rate = importFrom((await trickle(head('Content-Length: 100000'), 'x')).url, {
    timeouts: { idleMs: 100, bytesPerSecondMin: 10_000 },
  })
  await refuses(t, rate, 'UpstreamFailed', /less than 10000 bytes a second|did not respond within 0.1 s/)
  for (const more of ['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n']) {
    const hints = await trickle(more, more)
    const work = importFrom(hints.url, { timeouts: { idleMs: 100 } })
    await refuses(t, work, 'UpstreamFailed', /did not respond within 0.1 s|HPE_/, more)
  }
})

t.test('time spent writing the bytes does not count against the source', async (t) => {
  const source = await httpSource(t, (_request, response) => {
    response.setHeader('Content-Length', 4).write('ab')
    response.end('cd')
  })
  const received = await importFrom(source.url, {
    timeouts: { idleMs: 50 },
    take: async ({ bytes }) => {
      let text = ''
      for await (const chunk of bytes) {
        await setTimeout(120)
        text += Buffer.from(chunk)
      }
      return text
    },
  })
  t.equal(received, 'abcd')
})

t.test('a client that disconnects ends the transfer in every phase', async (t) => {
  const gone = AbortSignal.abort()
  const source = await httpSource(t, (_request, response) => response.setHeader('Content-Length', 10).write('half'))
  await refuses(t, importFrom(source.url, { signal: gone }), 'Aborted', /Client disconnected/, 'before')
  t.equal(source.sockets.length, 0)
  const during = new AbortController()
  const work = importFrom(source.url, {
    signal: during.signal,
    take: async ({ bytes }) => {
      for await (const _ of bytes) during.abort()
    },
  })
  await refuses(t, work, 'Aborted', /Client disconnected/, 'in the body')
  const early = new AbortController()
  const deaf = await socketSource(t, (socket) => socket.once('data', () => early.abort()))
  await refuses(t, importFrom(deaf.url, { signal: early.signal }), 'Aborted', /Client disconnected/, 'before the head')
})

t.test('over TLS, the certificate of the resolved address must be valid for the host name', async (t) => {
  const mine = certificateFor('files.example', '127.0.0.1')
  let served = ''
  const source = await httpSource(
    t,
    ({ socket, headers }, response) => {
      served = `${'servername' in socket && socket.servername} ${headers.host}`
      response.setHeader('Content-Length', 6).end('secure')
    },
    { certificate: mine },
  )
  const resolve = async () => ['127.0.0.1']
  const named = (host: string, authorities?: string) =>
    importFrom(`https://${host}:${source.port}/${secret}`, { resolve, ...(authorities ? { authorities } : {}) })
  t.equal(await named('files.example', mine.cert), 'secure')
  t.equal(served, `files.example files.example:${source.port}`)
  t.equal(await named('files.example.', mine.cert), 'secure', 'the trailing dot is not part of the name')
  t.equal(await named('127.0.0.1', mine.cert), 'secure')
  t.equal(served, `false 127.0.0.1:${source.port}`, 'addresses are not sent as names')
  await refuses(t, named('other.example', mine.cert), 'UpstreamFailed', /ERR_TLS_CERT_ALTNAME_INVALID/)
  await refuses(t, named('files.example'), 'UpstreamFailed', /DEPTH_ZERO_SELF_SIGNED_CERT/)
  const stranger = certificateFor('files.example').cert
  await refuses(t, named('files.example', stranger), 'UpstreamFailed', /cannot be read \([A-Z_]+\)/)
})

t.test('environment variables cannot disable certificate checks', async (t) => {
  const source = await httpSource(t, (_request, response) => response.end(), {
    certificate: certificateFor('127.0.0.1'),
  })
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  t.teardown(() => {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
  })
  await refuses(t, importFrom(source.url), 'UpstreamFailed', /DEPTH_ZERO_SELF_SIGNED_CERT/)
})

t.test('4.10: unreachable hosts are upstream failures, and their names are not reported', async (t) => {
  const unresolved = async () => {
    throw Object.assign(new Error(`getaddrinfo EAI_AGAIN ${secret}.example`), { code: 'EAI_AGAIN', hostname: secret })
  }
  await refuses(t, importFrom(`https://${secret}.example/`, { resolve: unresolved }), 'UpstreamFailed', /EAI_AGAIN/)
  const { port } = await rawSource(t, '')
  const closed = `http://127.0.0.4:${port}/${secret}`
  await refuses(t, importFrom(closed, { allow: ['127.0.0.4/32'] }), 'UpstreamFailed', /ECONNREFUSED/)
})

t.test('4.10: an unknown host name is answered like one with an internal address', async (t) => {
  const outcome = (resolve: () => Promise<readonly string[]>) =>
    importFrom(`https://${secret}.example/`, { resolve }).catch((error: unknown) => error)
  const inside = await outcome(async () => ['10.0.0.1'])
  t.match(inside, { code: 'ImportRefused', message: /not at an address/ })
  for (const code of ['ENOTFOUND', 'ENODATA']) {
    const missing = await outcome(async () => Promise.reject(Object.assign(new Error(`${code} ${secret}`), { code })))
    for (const member of ['code', 'message', 'status', 'details', 'cause'] as const)
      t.same(Object(missing)[member], Object(inside)[member], `${code} ${member}`)
  }
  t.match(await outcome(async () => []), { code: 'ImportRefused' })
})

t.test('4.10: 100 MB are imported in constant memory', async (t) => {
  const [pieces, piece] = [100, Buffer.alloc(1024 * 1024, 'x')]
  const source = await httpSource(t, async (_request, response) => {
    response.setHeader('Content-Length', pieces * piece.length)
    for (let sent = 0; sent < pieces; sent++) if (!response.write(piece)) await once(response, 'drain')
    response.end()
  })
  // Only what stays after a collection counts: how soon V8 collects depends on the machine.
  v8.setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const usedBytes = () => {
    // The first one lets go of buffers, the second one counts without them.
    collect()
    collect()
    const { arrayBuffers, heapUsed } = process.memoryUsage()
    return arrayBuffers + heapUsed
  }
  const usedBefore = usedBytes()
  let received = 0
  let measured = 0
  let grownBytes = 0
  await importFrom(source.url, {
    sizeBytesMax: pieces * piece.length,
    take: async ({ bytes }) => {
      for await (const chunk of bytes) {
        received += chunk.length
        if (received < (measured + 1) * 10 * piece.length) continue
        measured++
        grownBytes = Math.max(grownBytes, usedBytes() - usedBefore)
      }
    },
  })
  t.equal(received, pieces * piece.length)
  t.equal(measured, 10)
  t.ok(grownBytes < 10 * piece.length, `grew by ${Math.round(grownBytes / piece.length)} MB`)
})
