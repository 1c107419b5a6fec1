// Protection of imports against internal addresses in URLs, DNS results and redirects. The servers are real, and those that
// must not be reached count their connections.
import t, { type Test } from 'tap'
import { httpSource, importFrom, refuses, type Source, secret } from './support/source.js'

const document = (t: Test, text = 'a document') =>
  httpSource(t, (_request, response) => response.setHeader('Content-Length', text.length).end(text))

const redirecting = (t: Test, location: (port: number) => string | undefined, status = 302) =>
  httpSource(t, ({ socket }, response) => {
    const target = location(socket.localPort ?? 0)
    response.writeHead(status, target === undefined ? {} : { Location: target }).end()
  })

const atAddress = /address this deployment imports from/

/** Notations of 127.0.0.1 and other addresses of this machine. */
const waysHome = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0x7f.1',
  '0177.0.0.1',
  '0177.0.0.01',
  '017700000001',
  '127.0.0.1.',
  '%31%32%37.0.0.1',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '１２７.0.0.1',
]

const waysAround = [
  '0',
  '0.0.0.0',
  '127.0.0.2',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2606:4700::5efe:127.0.0.1]',
  '[fe80::1]',
  '[fd00::1]',
  '10.0.0.1',
  '169.254.169.254',
  '[fd00:ec2::254]',
  '168.63.129.16',
  '224.0.0.1',
  '255.255.255.255',
]

t.test('4.10: loopback is refused in every notation, without a connection or DNS query', async (t) => {
  const { port, sockets } = await document(t)
  for (const host of [...waysHome, ...waysAround]) {
    await refuses(t, importFrom(`http://${host}:${port}/${secret}`, { allow: [] }), 'ImportRefused', atAddress, host)
  }
  t.equal(sockets.length, 0)
})

t.test(
  '4.10: an allowed range is meant by address: every way to write it leads there, and no other address',
  async (t) => {
    const { port, sockets } = await document(t)
    for (const host of waysHome) t.equal(await importFrom(`http://${host}:${port}/`), 'a document', host)
    t.equal(sockets.length, waysHome.length)
    for (const host of waysAround) {
      await refuses(t, importFrom(`http://${host}:${port}/${secret}`), 'ImportRefused', atAddress, host)
    }
    t.equal(sockets.length, waysHome.length)
  },
)

t.test('4.10: the only allowed scheme is https, and http if the operator allows it', async (t) => {
  const { port, sockets } = await document(t)
  const onlyHttps = { schemes: ['https:'] }
  await refuses(
    t,
    importFrom(`http://127.0.0.1:${port}/${secret}`, onlyHttps),
    'ImportRefused',
    /^Only https:\/\/ URLs/,
  )
  const others = ['ftp', 'gopher', 'ws', 'wss', 'unix', 'jar:http'].map(
    (name) => `${name}://127.0.0.1:${port}/${secret}`,
  )
  for (const url of [...others, `file:///${secret}`, `data:,${secret}`, `blob:${secret}`, `javascript:${secret}`]) {
    await refuses(t, importFrom(url), 'ImportRefused', /^Only https:\/\/ and http:\/\/ URLs/, url)
  }
  t.equal(sockets.length, 0)
})

t.test('an invalid URL is refused with InvalidArg', async (t) => {
  for (const url of [
    '',
    secret,
    `/${secret}.pdf`,
    `https://`,
    `https://${secret}:99999999/`,
    'https://256.1.1.1/',
    'https://[::1',
  ]) {
    await refuses(t, importFrom(url), 'InvalidArg', /not an absolute URL/, url)
  }
})

t.test('4.10: URLs with credentials are refused', async (t) => {
  const { port, sockets } = await document(t)
  for (const credentials of ['user:sEcReT@', 'sEcReT@', ':sEcReT@']) {
    const url = `http://${credentials}127.0.0.1:${port}/`
    await refuses(t, importFrom(url), 'ImportRefused', /user name or password/, credentials)
  }
  t.equal(sockets.length, 0)
})

t.test('4.10: ports of other protocols are refused', async (t) => {
  for (const port of [0, 1, 22, 25, 53, 110, 111, 143, 445, 587, 993, 1023]) {
    await refuses(t, importFrom(`http://127.0.0.1:${port}/`), 'ImportRefused', /Ports below 1024/, String(port))
  }
})

t.test('4.10: a host name is allowed if one of its addresses is', async (t) => {
  const { port, sockets } = await document(t)
  const named = (...addresses: readonly string[]) =>
    importFrom(`http://${secret}.example:${port}/`, { resolve: async () => addresses })
  for (const address of ['10.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254', 'fe80::1%lo', 'not-an-address']) {
    await refuses(t, named(address), 'ImportRefused', atAddress, address)
  }
  await refuses(t, named('10.0.0.1', '127.0.0.2', '::1'), 'ImportRefused', atAddress)
  await refuses(t, named(), 'ImportRefused', atAddress)
  t.equal(sockets.length, 0)
  t.equal(await named('10.0.0.1', '127.0.0.1', '::1'), 'a document', 'only the allowed address is connected')
})

t.test('4.10: if the address of a name changes after the check, the checked address is connected', async (t) => {
  const names: string[] = []
  const checked = await httpSource(t, (_request, response) => response.setHeader('Content-Length', 2).end('ok'))
  const inside = await httpSource(t, (_request, response) => response.end(), { host: '127.0.0.2', port: checked.port })
  const resolve = async (name: string) => {
    names.push(name)
    return [names.length === 1 ? '127.0.0.1' : '127.0.0.2']
  }
  t.equal(await importFrom(`http://rebinding.example:${checked.port}/`, { resolve }), 'ok')
  t.same(names, ['rebinding.example'])
  t.equal(inside.sockets.length, 0)
})

t.test('4.10: a name is checked again when a redirect leads back to it', async (t) => {
  let lookups = 0
  const outside = await redirecting(t, (port) => `http://rebinding.example:${port}/inside`)
  const inside = await httpSource(t, (_request, response) => response.end(), { host: '127.0.0.2', port: outside.port })
  const resolve = async () => [lookups++ === 0 ? '127.0.0.1' : '127.0.0.2']
  const work = importFrom(`http://rebinding.example:${outside.port}/`, { resolve })
  await refuses(t, work, 'ImportRefused', atAddress)
  t.equal(lookups, 2)
  t.equal(inside.sockets.length, 0)
})

t.test('redirects are followed, relative ones and those to other servers too', async (t) => {
  const target = await document(t)
  for (const status of [301, 302, 303, 307, 308]) {
    const { url } = await redirecting(t, () => target.url, status)
    t.equal(await importFrom(url), 'a document', String(status))
  }
  const relative = await httpSource(t, ({ url }, response) => {
    if (url === '/deep/there?x=1') response.setHeader('Content-Length', 5).end('there')
    else response.writeHead(302, { Location: 'there?x=1#part' }).end()
  })
  t.equal(await importFrom(`http://127.0.0.1:${relative.port}/deep/here`), 'there')
})

t.test('4.10: a redirect leads only to URLs that could be imported directly', async (t) => {
  const inside = await httpSource(t, (_request, response) => response.end(), { host: '127.0.0.2' })
  const targets: readonly (readonly [string, string, RegExp])[] = [
    [inside.url, 'ImportRefused', atAddress],
    [`//127.0.0.2:${inside.port}/`, 'ImportRefused', atAddress],
    [`http://[::ffff:127.0.0.2]:${inside.port}/`, 'ImportRefused', atAddress],
    [`http://name.example:${inside.port}/`, 'ImportRefused', atAddress],
    [`http://user:password@127.0.0.1:${inside.port}/`, 'ImportRefused', /user name/],
    ['file:///etc/passwd', 'ImportRefused', /^Only/],
    ['http://127.0.0.1:22/', 'ImportRefused', /Ports/],
    ['http://[broken', 'UpstreamFailed', /no URL/],
  ]
  for (const [location, code, says] of targets) {
    const first = await redirecting(t, () => location)
    const second = await redirecting(t, () => first.url)
    const work = importFrom(second.url, { resolve: async () => ['127.0.0.2'] })
    await refuses(t, work, code, says, location)
  }
  const silent = await redirecting(t, () => undefined)
  await refuses(t, importFrom(silent.url), 'UpstreamFailed', /no URL/)
  t.equal(inside.sockets.length, 0)
})

t.test('4.10: at most three redirects are followed', async (t) => {
  const chain = async (length: number) => {
    let { url }: Source = await document(t)
    for (let left = length; left > 0; left--) {
      const next = url
      url = (await redirecting(t, () => next)).url
    }
    return url
  }
  t.equal(await importFrom(await chain(3)), 'a document')
  await refuses(t, importFrom(await chain(4)), 'ImportRefused', /More than 3 redirects/)
  const loop = await redirecting(t, (port) => `http://127.0.0.1:${port}/`)
  await refuses(t, importFrom(loop.url), 'ImportRefused', /More than 3 redirects/)
  t.equal(loop.sockets.length, 4)
})

t.test('proxies of the environment are not used', async (t) => {
  const proxy = await httpSource(t, (_request, response) => response.end())
  const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'NODE_USE_ENV_PROXY']
  const before = names.map((name) => [name, process.env[name]] as const)
  for (const name of names) process.env[name] = name.startsWith('NODE') ? '1' : proxy.url
  t.teardown(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  })
  t.equal(await importFrom((await document(t)).url), 'a document')
  t.equal(proxy.sockets.length, 0)
})
