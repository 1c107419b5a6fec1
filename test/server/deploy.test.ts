// The files of docs/deploy.md: nginx and the server together with the flags of the unit, the sandbox of the unit, and the
// recipe of the image.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import t, { type Test } from 'tap'
import { agents, printed, start } from '../cli/program.js'
import { scratchFolder } from '../cli/scratch.js'
import { certificateFor } from '../support/certificate.js'
import { eventually } from '../support/eventually.js'
import { freePorts } from '../support/free-port.js'
import { needsNginx, runNginx } from '../support/nginx.js'
import { onePage } from '../support/pdf/raw-pdf.js'

const host = 'documents.example.com'
const unit = readFileSync('docs/deploy/steward.service', 'utf8')
const needsSystemd = {
  skip: spawnSync('systemd-analyze', ['--version']).error !== undefined && 'apt-get install -y systemd',
}

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
}

/** Requests through nginx, whose certificate they trust. */
class ThroughNginx {
  constructor(
    private readonly port: number,
    private readonly ca: string,
    private readonly token?: string,
  ) {}

  withoutToken(): ThroughNginx {
    return new ThroughNginx(this.port, this.ca)
  }

  async open(path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<IncomingMessage> {
    const sent = request({
      host: '127.0.0.1',
      port: this.port,
      servername: host,
      ca: this.ca,
      path,
      method,
      headers: { host, ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }), ...headers },
      agent: false,
    })
    sent.end(body)
    const [answer] = await once(sent, 'response')
    return answer
  }

  async send(path: string, options: Sent = {}) {
    const answer = await this.open(path, options)
    const bytes = Buffer.concat(await answer.toArray())
    return { status: answer.statusCode, headers: answer.headers, bytes, text: bytes.toString() }
  }

  async json(path: string, json: unknown) {
    const headers = { 'content-type': 'application/json' }
    const { status = 0, text } = await this.send(path, { method: 'POST', headers, body: JSON.stringify(json) })
    if (status >= 400) throw new Error(`${status} ${text}`)
    return JSON.parse(text)
  }
}

/** Starts the server with the flags of the unit, and nginx with its configuration, in a folder. */
async function deploy(t: Test) {
  const folder = scratchFolder(t)
  const [plain = 0, tls = 0, port = 0] = await freePorts(3)
  const [, command = ''] = /^ExecStart=\S+ \S+ (.*)$/m.exec(unit) ?? []
  const words = command
    .split(' ')
    .map((word) => ({ ['$' + '{STATE_DIRECTORY}']: 'state', '8080': String(port) })[word] ?? word)
  const running = start([...words, '--threads', '1'], { folder })
  t.teardown(() => running.child.kill('SIGKILL'))
  await printed(running, 'stdout', 'Reference')
  const { apiToken } = JSON.parse(readFileSync(join(folder, 'state/secrets.json'), 'utf8'))

  const { key, cert } = certificateFor(host)
  writeFileSync(join(folder, 'key.pem'), key)
  writeFileSync(join(folder, 'fullchain.pem'), cert)
  const http = readFileSync('docs/deploy/nginx.conf', 'utf8')
    .replace('127.0.0.1:8080', `127.0.0.1:${port}`)
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443 ', `listen 127.0.0.1:${tls} `)
    .replaceAll('/etc/ssl/steward', folder)
    .replaceAll('/var/log/nginx', folder)
  const client = new ThroughNginx(tls, cert, apiToken)
  const isUp = async () => {
    const answer = await client.send('/documents/healthz').catch(() => undefined)
    return answer?.status === 200
  }
  const nginx = await runNginx({ folder, http, isUp })
  t.teardown(() => nginx.kill('SIGTERM'))
  /** Everything that nginx wrote. */
  const log = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.log'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('')
  return { client, running, plain, folder, log }
}

t.test('nginx and the server of the unit work together, below a path', needsNginx, async (t) => {
  const { client, running, plain, folder, log } = await deploy(t)
  const below = '/documents/v1'

  // Larger than the megabyte that nginx takes by itself.
  const pdf = onePage(`% ${'x'.repeat(3_000_000)}\n0 0 100 100 re f`)
  await client.json(`${below}/tenants`, { id: 'acme' })
  const sha256 = createHash('sha256').update(pdf).digest('hex')
  const announced = { docId: 'report', contentLength: pdf.length, contentSha256: sha256 }
  const { upload } = await client.json(`${below}/tenants/acme/documents/init`, announced)
  const form = new FormData()
  form.set('file', new Blob([Buffer.from(pdf)]), 'report.pdf')
  const multipart = new Response(form)
  const sent = await client.send(`/documents${upload.url}`, {
    method: 'POST',
    headers: { 'content-type': multipart.headers.get('content-type') ?? '' },
    body: Buffer.from(await multipart.arrayBuffer()),
  })
  t.equal(sent.status, 200, sent.text)
  await client.json(`${below}/tenants/acme/documents/report/commit`, { sha256 })
  const layer = `${below}/docs/report/layers/default`

  await t.test('the file comes back, whole and by ranges', async (t) => {
    const whole = await client.send(`${layer}/download`)
    t.same(whole.bytes, pdf)
    t.match(whole.headers['strict-transport-security'], 'max-age')
    const part = await client.send(`${layer}/download`, { headers: { range: 'bytes=1-3' } })
    t.same([part.status, part.text], [206, 'PDF'])
  })

  await t.test('events arrive while nginx holds nothing back', async (t) => {
    const events = await client.open(`${layer}/events`)
    const square = { subtype: 'square', rect: { x: 10, y: 10, width: 20, height: 20 } }
    await client.json(`${layer}/annotations/pages/obj:3/items`, square)
    for await (const text of events.setEncoding('utf8')) if (String(text).includes('annot.create')) break
    t.pass('the event of the change')
  })

  await t.test('names with a slash in them are kept', async (t) => {
    const odd = layer.replace('default', encodeURIComponent('a/b %2F'))
    const square = { subtype: 'square', rect: { x: 10, y: 10, width: 20, height: 20 } }
    await client.json(`${odd}/annotations/pages/obj:3/items`, square)
    const { text } = await client.send(`${below}/tenants/acme/documents/report/layers`)
    t.match(text, JSON.stringify('a/b %2F'))
  })

  await t.test('the pages work, and plain HTTP leads to TLS', async (t) => {
    const page = await client.send('/documents/view/report')
    t.match(page.headers['content-security-policy'], "default-src 'none'")
    const [, script = ''] = /src="([^"]+\.js)"/.exec(page.text) ?? []
    const loaded = await client.send(new URL(script, `https://${host}/documents/view/report`).pathname)
    t.match(loaded.headers['content-type'], 'javascript')
    const lead = await fetch(`http://127.0.0.1:${plain}/documents/view/report`, { redirect: 'manual' })
    t.equal(lead.status, 308)
    t.match(lead.headers.get('location'), /^https:.*\/documents\/view\/report$/)
  })

  await t.test('the logs name client, tenant, subject and request, and no link', async (t) => {
    const { url } = await client.json(`${layer}/links`, { url: `${layer.replace('/documents', '')}/download` })
    // The client claims another address.
    const linked = await client
      .withoutToken()
      .send(`/documents${url}`, { headers: { 'x-forwarded-for': '203.0.113.9' } })
    t.equal(linked.status, 200)
    const id = String(linked.headers['x-request-id'])
    const lines = () => running.seen.stdout + running.seen.stderr
    const answered = () =>
      lines()
        .split('\n')
        .find((one) => one.includes(id) && one.includes('answered'))
    // Both write their lines when the client has its answer.
    await eventually(() => answered() !== undefined && log().includes(id))
    t.match(JSON.parse(answered() ?? ''), {
      address: '127.0.0.1',
      tenant: 'acme',
      subject: 'api',
      operation: 'doc.download',
    })
    const text = new URL(url, 'http://x').searchParams.get('link') ?? 'no link'
    t.notOk(lines().includes(text) || log().includes(text))
  })

  await t.test('the commands of the machine find the server in its folder', async (t) => {
    const { code, stdout } = await agents(['documents', 'list', '--tenant', 'acme', '--data', 'state'], { folder })
    t.equal(code, 0, stdout)
    t.match(stdout, 'report')
  })

  await t.test('the logs have no share and no link, also while the server is down', async (t) => {
    const secrets = ['/s/secret-share', '/view/report?link=secret-link', '/v1/shares/secret-share/access']
    const askAll = async () => {
      for (const path of secrets) {
        await client.send(`/documents${path}`)
        await fetch(`http://127.0.0.1:${plain}/documents${path}`, { redirect: 'manual' })
      }
    }
    await askAll()
    running.child.kill('SIGKILL')
    await running.ended
    await askAll()
    await eventually(() => log().split(' 502 ').length > secrets.length && log().split(' 308 ').length > secrets.length)
    t.notMatch(log(), 'secret-')
    t.match(log(), /GET \/documents\/s\/\.\.\. 502/)
  })
})

t.test('the logs of the example for several machines have no share and no link', needsNginx, async (t) => {
  const folder = scratchFolder(t)
  const [tls = 0, ...closed] = await freePorts(4)
  const { key, cert } = certificateFor(host)
  writeFileSync(join(folder, 'documents.key'), key)
  writeFileSync(join(folder, 'documents.pem'), cert)
  const [, block = ''] = /For nginx:\n\n```\n([\s\S]*?)```/.exec(readFileSync('docs/operations.md', 'utf8')) ?? []
  const http = block
    .replace('listen 443 ', `listen 127.0.0.1:${tls} `)
    .replaceAll('/etc/ssl', folder)
    .replaceAll('/var/log/nginx', folder)
    .replace(/10\.0\.0\.1(\d):4780/g, (_, number: string) => `127.0.0.1:${closed[Number(number) - 1]}`)
  const client = new ThroughNginx(tls, cert)
  const isUp = async () => (await client.send('/metrics').catch(() => undefined))?.status === 404
  const nginx = await runNginx({ folder, http, isUp })
  t.teardown(() => nginx.kill('SIGTERM'))
  for (const path of ['/s/secret-share', '/view/x?link=secret-link', '/v1/tenants/a/shares/secret-share'])
    await client.send(path)
  const log = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.log'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('')
  await eventually(() => log().split(' 502 ').length > 3)
  t.notMatch(log(), 'secret-')
  t.match(log(), /GET \/s\/\.\.\. 502/)
})

t.test('systemd takes the unit, and finds its sandbox tight', needsSystemd, async (t) => {
  const path = join(scratchFolder(t), 'steward.service')
  writeFileSync(path, unit.replace('/usr/bin/node', process.execPath))
  const analyze = (...words: readonly string[]) => spawnSync('systemd-analyze', words, { encoding: 'utf8' })
  const verified = analyze('verify', path)
  t.same([verified.status, verified.stderr], [0, ''])
  const judged = analyze('security', '--offline=true', '--threshold=20', path)
  t.equal(judged.status, 0, judged.stdout.slice(-200))
})

t.test('the recipe of the image has no mistakes, and copies what exists', async (t) => {
  const recipe = readFileSync('docs/deploy/Containerfile', 'utf8')
  t.same(
    validate(recipe).map(({ message }) => message),
    [],
  )
  t.match(validate(`${recipe}\nCOPY`), [{ message: /COPY/ }], 'mistakes are found')
  t.match(recipe, /^USER node$/m)
})
