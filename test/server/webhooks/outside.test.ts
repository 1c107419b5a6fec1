// Webhooks of the built server: deliveries survive a kill, the commands manage them, the example receives them, and no
// address inside a network is reached.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { agents, program, records, root, scratchFolder } from '../../cli/program.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { change, titled } from '../changes/support/changing.js'
import { Client } from '../support/client.js'
import { done, makers } from '../support/running-server.js'
import { startReceiver, verify } from './support/receiver.js'

t.setTimeout(580_000)

async function start(t: Pick<Test, 'teardown'>, data: string, more: readonly string[] = []) {
  const flags = ['serve', '--port', '0', '--data', data, '--processes', '1', '--threads', '1', '--json', ...more]
  const child = spawn(process.execPath, [program, ...flags], { stdio: ['ignore', 'pipe', 'ignore'] })
  t.teardown(() => child.kill('SIGKILL'))
  const [line] = await once(child.stdout, 'data')
  const { url, apiToken } = JSON.parse(String(line))
  const api = new Client(url, apiToken)
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal)
    await once(child, 'close')
  }
  return { api, url, apiToken, end, ...makers(api) }
}

const local = ['--webhook-allow', '127.0.0.1/32', '--webhook-http']
const pdf = onePage('0 0 100 100 re f')
const webhooks = '/v1/tenants/acme/webhooks'

t.test('what was answered before a kill is delivered after the restart, each event under its own id', async (t) => {
  const data = scratchFolder(t, 'data')
  const receiver = await startReceiver(t)
  // Nothing is answered before the kill, so that every delivery is on its way or waits.
  receiver.answer = () => 'hang'
  const first = await start(t, data, local)
  await first.api.post('/v1/tenants', { id: 'acme' }).then(done)
  const body = { url: receiver.url, types: ['document.ready', 'document.changed'] }
  const created = await first.api.post(webhooks, body).then(done)
  const documents = [await first.upload(pdf), await first.upload(pdf)]
  for (const docId of documents) {
    for (const number of [1, 2]) {
      await change(first.api, { docId }, { opId: `op-${number}`, ops: [titled(`Title ${number}`)] }).then(done)
    }
  }
  await first.end('SIGKILL')
  const before = receiver.received.length
  receiver.answer = () => ({ status: 200 })
  const second = await start(t, data, local)
  const received = (await receiver.until(before + 6)).slice(before)
  for (const docId of documents) {
    t.same(
      received.filter(({ event }) => event.data['docId'] === docId).map(({ event }) => event.data['change']),
      [null, 1, 2],
    )
  }
  t.equal(new Set(receiver.received.map(({ id }) => id)).size, 6, 'a repeated delivery has the same id')
  for (const one of received) t.doesNotThrow(() => verify(created.word('/secret'), one))
  await second.end('SIGTERM')
  t.equal(receiver.received.length, before + 6, 'nothing else was delivered twice')
  const checked = await agents(['serve', '--check', '--data', data], { folder: data })
  t.equal(checked.code, 0, checked.stdout)
})

t.test('a webhook reaches no address inside a network, however it is written', async (t) => {
  const receiver = await startReceiver(t)
  const { port } = new URL(receiver.url)
  const { api } = await start(t, scratchFolder(t, 'data'), ['--webhook-http'])
  await api.post('/v1/tenants', { id: 'acme' }).then(done)
  const types = ['document.ready']
  const hosts = ['127.0.0.1', '[::1]', '169.254.169.254', '2130706433', '0x7f.1', '017700000001', '10.0.0.1', '0.0.0.0']
  for (const host of [...hosts, '[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]']) {
    const answer = await api.post(webhooks, { url: `http://${host}:${port}/`, types })
    t.same([answer.status, answer.code], [400, 'InvalidArg'], host)
  }
  for (const url of [
    'ftp://example.com/',
    'http://a:b@example.com/',
    'http://example.com:25/',
    '/hook',
    'file:///etc',
  ]) {
    t.equal((await api.post(webhooks, { url, types })).code, 'InvalidArg', url)
  }
  const named = await api.post(webhooks, { url: `http://localhost:${port}/`, types }).then(done)
  const ping = await api.post(`${webhooks}/${named.word('/webhook/id')}/ping`).then(done)
  t.match(ping.at('/attempt'), { statusCode: null, error: 'address-not-allowed' }, 'a name of a private address')
  t.equal(receiver.received.length, 0)
})

t.test('a redirect is not followed, an endless answer is cut off, and http needs a setting', async (t) => {
  const receiver = await startReceiver(t)
  const target = await startReceiver(t)
  const { api, upload, end } = await start(t, scratchFolder(t, 'data'), local)
  await api.post('/v1/tenants', { id: 'acme' }).then(done)
  const created = await api.post(webhooks, { url: receiver.url, types: ['document.ready'] }).then(done)
  const ping = `${webhooks}/${created.word('/webhook/id')}/ping`
  receiver.answer = () => ({ status: 302, headers: { location: target.url } })
  t.match((await api.post(ping).then(done)).at('/attempt'), { statusCode: 302, error: 'redirect' })
  t.equal(target.received.length, 0)
  receiver.answer = () => ({ status: 200, body: 'x'.repeat(5_000_000) })
  t.match((await api.post(ping).then(done)).at('/attempt'), { statusCode: 200, error: null })
  const count = receiver.received.length
  done(await api.post('/v1/tenants/acme/suspend'))
  t.equal((await api.post(ping)).status, 400, 'a suspended tenant is sent nothing')
  t.equal(receiver.received.length, count)
  done(await api.post('/v1/tenants/acme/resume'))
  for (const url of ['https://example.com/\r\nX: y', 'https://example.com/\u202ea', ' https://example.com/'])
    t.equal((await api.post(webhooks, { url })).code, 'InvalidArg', JSON.stringify(url))
  receiver.answer = () => ({ status: 500 })
  const docId = await upload(pdf)
  await receiver.until(count + 1)
  await api.delete(`/v1/tenants/acme/documents/${docId}`).then(done)
  t.equal((await api.get(ping.replace('ping', 'deliveries'))).at('/deliveries/0'), undefined, 'gone with its document')
  await end('SIGTERM')
  const strict = await start(t, scratchFolder(t, 'data'), ['--webhook-allow', '127.0.0.1/32'])
  await strict.api.post('/v1/tenants', { id: 'acme' }).then(done)
  t.match((await strict.api.post(webhooks, { url: receiver.url, types: ['document.ready'] })).text, /https/)
})

t.test('the commands manage a webhook, and the example receives what is sent', async (t) => {
  const folder = scratchFolder(t)
  const { url, apiToken, upload } = await start(t, scratchFolder(t, 'data'), local)
  const env = { STEWARD_URL: url, STEWARD_API_TOKEN: apiToken }
  const run = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await agents(['webhooks', ...words, '--tenant', 'acme', '--json'], { folder, env })
    if (code !== 0) throw new Error(`${words}: ${code} ${stderr}`)
    return records(stdout)
  }
  const [created] = await run('create', 'http://127.0.0.1:9999/', '--type', 'document.ready')
  const { id, secret } = created as unknown as { readonly id: string; readonly secret: string }
  const example = join(root, 'examples/documents/webhook-receiver.mjs')
  const receiver = spawn(process.execPath, [example], { env: { ...process.env, PORT: '0', WEBHOOK_SECRET: secret } })
  t.teardown(() => receiver.kill())
  const [line] = await once(receiver.stdout, 'data')
  const port = /listening on (\d+)/.exec(String(line))?.[1]
  await run('update', id, '--endpoint', `http://127.0.0.1:${port}/`)
  t.match(await run('ping', id), [{ type: 'webhook-ping', statusCode: 204, error: null }])
  const docId = await upload(pdf)
  let printed = ''
  for await (const text of receiver.stdout) {
    printed += text
    if (printed.includes(docId)) break
  }
  t.match(printed, /document\.ready/)
  t.match(await run('pause', id), [{ type: 'webhook', status: 'paused', pauseReason: 'requested' }])
  t.match(await run('resume', id), [{ status: 'active' }])
  const [rotated] = await run('rotate', id, '--at-once')
  t.not((rotated as unknown as { readonly secret: string }).secret, secret)
  t.match(await run('list'), [{ type: 'webhook', id }])
  t.match(await run('deliveries', id), [{ type: 'webhook-delivery', event: 'document.ready', docId }])
  t.match(await run('delete', id), [{ type: 'webhook-deleted', id }])
})
