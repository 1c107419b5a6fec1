// Which proxy a request goes through: the variables of the environment, read as curl reads them.
import t from 'tap'
import { HttpFailure } from '../../../core/ports/http.js'
import { type Environment, proxyFor } from '../../../core/ports/proxies.js'

const proxy = (url: string, environment: Environment) => proxyFor(new URL(url), environment)?.name

t.test(
  'the variable of the scheme comes before ALL_PROXY, lower case before upper case, and empty ones are unset',
  async (t) => {
    const https = 'https://api.example/v1'
    t.equal(proxy(https, {}), undefined)
    t.equal(proxy(https, { HTTPS_PROXY: 'http://a:1', ALL_PROXY: 'http://b:2' }), 'a:1')
    t.equal(proxy(https, { HTTPS_PROXY: 'http://a:1', https_proxy: 'http://c:3' }), 'c:3')
    t.equal(proxy(https, { https_proxy: '', HTTPS_PROXY: '', all_proxy: '', ALL_PROXY: 'http://b:2' }), 'b:2')
    t.equal(proxy(https, { HTTP_PROXY: 'http://a:1', http_proxy: 'http://a:1' }), undefined)
    t.equal(proxy('http://api.example', { HTTP_PROXY: 'http://a:1', HTTPS_PROXY: 'http://b:2' }), 'a:1')
  },
)

t.test('an address without a scheme is http://, and one without a port has that of curl', async (t) => {
  const named = (HTTPS_PROXY: string) => proxyFor(new URL('https://api.example'), { HTTPS_PROXY })
  t.match(named('proxy.example:3128'), { name: 'proxy.example:3128', url: { protocol: 'http:' } })
  t.equal(named('http://proxy.example')?.name, 'proxy.example:1080')
  t.equal(named('http://user:pa%20ss@proxy.example:80/')?.name, 'proxy.example:80')
  t.equal(named('https://proxy.example')?.name, 'proxy.example:443')
  t.equal(named('socks5h://[::1]')?.name, '[::1]:1080')
})

t.test('NO_PROXY names hosts with what is below them, networks, ports and everything', async (t) => {
  const isExcepted = (url: string, NO_PROXY: string) => proxy(url, { ALL_PROXY: 'http://a:1', NO_PROXY }) === undefined
  const excepted: readonly (readonly [string, string])[] = [
    ['https://api.example', 'api.example'],
    ['https://eu.api.example', 'other.example, api.example'],
    ['https://eu.api.example', '.API.example.'],
    ['https://eu.api.example', '*.api.example'],
    ['https://api.example:8443', 'api.example:8443'],
    ['https://api.example', 'one two *'],
    ['http://10.1.2.3', '10.0.0.0/8'],
    ['http://10.1.2.3', '10.1.2.3'],
    ['http://[fd00::1]', 'fd00::/8'],
    ['http://[fd00::1]', '[fd00::1]'],
    ['http://[fd00::1]', 'fd00::1'],
  ]
  for (const [url, exceptions] of excepted) t.ok(isExcepted(url, exceptions), `${url}: ${exceptions}`)
  const others: readonly (readonly [string, string])[] = [
    ['https://myapi.example', 'api.example'],
    ['https://example', 'api.example'],
    ['https://api.example', 'api.example:8443'],
    ['http://11.1.2.3', '10.0.0.0/8'],
    ['http://10.1.2.3', '2.3'],
    ['http://10.1.2.3', '10.0.0.0/99'],
    ['https://api.example', ''],
  ]
  for (const [url, exceptions] of others) t.notOk(isExcepted(url, exceptions), `${url}: ${exceptions}`)
  t.equal(proxy('https://api.example', { ALL_PROXY: 'http://a:1', no_proxy: '*', NO_PROXY: 'x' }), undefined)
})

t.test('this machine is reached without a proxy, unless NO_PROXY has <-loopback>', async (t) => {
  for (const url of ['http://127.0.0.1:4750', 'http://localhost:1', 'http://a.localhost', 'http://[::1]:1']) {
    t.equal(proxy(url, { ALL_PROXY: 'http://a:1' }), undefined, url)
    t.equal(proxy(url, { ALL_PROXY: 'http://a:1', NO_PROXY: '<-loopback>,b.example' }), 'a:1', url)
  }
  t.equal(proxy('http://127.example', { ALL_PROXY: 'http://a:1' }), 'a:1')
})

t.test('a variable that names no proxy is a permanent failure, which does not show its value', async (t) => {
  for (const value of ['ftp://user:secret@a:1', 'http://', 'http://user:secret@a:x', 'file:///secret']) {
    const failed = () => proxy('https://api.example', { HTTPS_PROXY: value })
    t.throws(failed, { isPermanent: true, obstacle: 'proxy', message: /^HTTPS_PROXY names no proxy/ }, value)
    try {
      failed()
    } catch (error) {
      t.ok(error instanceof HttpFailure)
      t.notMatch(String(error), 'secret')
    }
  }
})
