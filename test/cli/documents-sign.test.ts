// `agents documents sign` against a server in this process, judged by pdfsig and openssl.

import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import t from 'tap'
import { runServer } from '../server/support/running-server.js'
import { judged, needs } from '../support/pdf/judges.js'
import { onePage } from '../support/pdf/raw-pdf.js'
import { extensions, keys, Pki } from '../support/pki/pki.js'
import { agentsHere } from './in-process.js'
import { start } from './program.js'
import { records, scratchFolder } from './scratch.js'

const judges = needs('openssl', 'pdfsig')
const folder = scratchFolder(t)
const data = join(folder, 'data')
mkdirSync(data)
const server = await runServer(t, { folder: data })
const here = { STEWARD_URL: server.url, STEWARD_API_TOKEN: server.apiToken }
const pki = Pki.of(t)
const made = judges.skip === false ? identities() : undefined

function identities() {
  const root = pki.authority('Root')
  const issuing = pki.authority('Issuing', root)
  const time = root.issue('Time', { extensions: extensions.timestamps })
  return { root, issuing, time, signer: issuing.issue('A Signer'), rsa: root.issue('RSA', { key: keys.rsa }) }
}

const sign = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  agentsHere(['documents', 'sign', ...words], { folder, env: { ...here, ...env } })

async function uploaded(): Promise<string> {
  writeFileSync(join(folder, 'page.pdf'), onePage('0 0 100 100 re f'))
  const { stdout } = await agentsHere(['documents', 'upload', 'page.pdf'], { folder, env: here })
  return stdout.trim()
}

/** Returns the report of pdfsig on the newest version of a document. */
async function pdfsigOf(docId: string): Promise<string> {
  const path = join(folder, `${docId}.pdf`)
  await agentsHere(['documents', 'download', docId, '--out', path], { folder, env: here })
  return judged('pdfsig', ['-nocert', path]).toString()
}

const valid = /Signature is Valid/

t.test('keys of every kind sign, as pdfsig confirms', judges, async (t) => {
  if (made === undefined) return
  const { signer, issuing, rsa } = made
  const ways: readonly (readonly string[])[] = [
    ['--key', signer.key, '--cert', signer.cert, '--chain', issuing.cert],
    ['--key', rsa.key, '--cert', rsa.cert, '--subfilter', 'adbe.pkcs7.detached', '--digest', 'sha512'],
    ['--key', rsa.key, '--cert', rsa.cert, '--pss', '--reason', 'Approved'],
  ]
  for (const way of ways) {
    const docId = await uploaded()
    const { code, stdout, stderr } = await sign([docId, '--field', 'approval', ...way, '--json'])
    t.equal(code, 0, stderr + stdout)
    t.match(records(stdout), [{ type: 'signed', status: 'completed', fieldName: 'approval' }])
    t.match(await pdfsigOf(docId), valid, way.join(' '))
  }
})

t.test('a key is read from PKCS#12, with its password from the environment or a file', judges, async (t) => {
  if (made === undefined) return
  const { signer, issuing } = made
  const path = join(folder, 'me.p12')
  const exporting = ['pkcs12', '-export', '-inkey', signer.key, '-in', signer.cert, '-certfile', issuing.cert]
  pki.run([...exporting, '-passout', 'pass:secret', '-out', path])
  const docId = await uploaded()
  const words = [docId, '--field', 'approval', '--pkcs12', path]
  const wrong = await sign(words, { STEWARD_KEY_PASSWORD: 'wrong' })
  t.equal(wrong.code, 1)
  t.match(wrong.stderr, /cannot be read as PKCS#12 with this password/)
  t.equal((await sign(words, { STEWARD_KEY_PASSWORD: 'secret' })).code, 0)
  t.match(await pdfsigOf(docId), /Signer Certificate Common Name: A Signer[\s\S]*Signature is Valid/)
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, 'secret\n')
  const encrypted = join(folder, 'encrypted.pem')
  pki.run(['pkcs8', '-topk8', '-in', signer.key, '-v2', 'aes256', '-passout', 'pass:secret', '-out', encrypted])
  const pem = ['--key', encrypted, '--cert', signer.cert, '--key-password-file', passwordFile]
  t.equal((await sign([await uploaded(), '--field', 'approval', ...pem])).code, 0)
  pki.run([...exporting, '-legacy', '-passout', 'pass:secret', '-out', path])
  const legacy = await sign([await uploaded(), '--field', 'approval', '--pkcs12', path], {
    STEWARD_KEY_PASSWORD: 'secret',
  })
  t.equal(legacy.code, 1)
  t.match(legacy.stderr, /openssl pkcs12 -legacy/)
  pki.run([...exporting, '-passout', 'pass:', '-out', path])
  const open = await sign([await uploaded(), '--field', 'approval', '--pkcs12', path])
  t.equal(open.code, 0, 'without a password, none is asked for')
  pki.run([...exporting, '-nomac', '-passout', 'pass:secret', '-out', path])
  const unsealed = [await uploaded(), '--field', 'approval', '--pkcs12', path]
  t.match((await sign(unsealed, { STEWARD_KEY_PASSWORD: 'wrong' })).stderr, /with this password/)
  t.equal((await sign(unsealed, { STEWARD_KEY_PASSWORD: 'secret' })).code, 0, 'a file without a MAC')
  const none = await sign([docId, '--field', 'approval', '--pkcs12', signer.cert])
  t.match(none.stderr, /is no PKCS#12 file/)
})

t.test('what speaks against a key is said: another certificate, one that is not valid now', judges, async (t) => {
  if (made === undefined) return
  const { signer, rsa, root } = made
  const docId = await uploaded()
  const foreign = await sign([docId, '--field', 'approval', '--key', rsa.key, '--cert', signer.cert])
  t.equal(foreign.code, 1)
  t.match(foreign.stderr, /the certificate of CN=A Signer is not that of the key/)
  const old = root.issue('Old', { from: '20200101000000Z', until: '20210101000000Z' })
  const expired = await sign([docId, '--field', 'approval', '--key', old.key, '--cert', old.cert])
  t.equal(expired.code, 0)
  t.match(expired.stderr, /The certificate of CN=Old was valid only until 2021-01-01/)
})

t.test('too little room for the signature is refused with the room that it takes', judges, async (t) => {
  if (made === undefined) return
  const { signer, issuing } = made
  const words = [await uploaded(), '--field', 'approval', '--key', signer.key, '--cert', signer.cert]
  const small = await sign([...words, '--chain', issuing.cert, '--contents-size', '1024'])
  t.equal(small.code, 1)
  const [, room = ''] = /--contents-size (\d+)/.exec(small.stderr) ?? []
  t.equal((await sign([...words, '--chain', issuing.cert, '--contents-size', room])).code, 0)
})

t.test('an external signer signs the digest, and its CMS completes the signing', judges, async (t) => {
  if (made === undefined) return
  const docId = await uploaded()
  const [prepared = {}] = records((await sign([docId, '--field', 'approval', '--external', '--json'])).stdout)
  t.match(prepared, { type: 'prepared', algorithm: 'sha256', subFilter: 'ETSI.CAdES.detached' })
  const signingId = String(prepared['signingId'])
  const { makeCms } = await import('../../cli/documents/signing/make-cms.js')
  const { identityOfPem } = await import('../../cli/documents/signing/identity.js')
  const { key, cert } = made.signer
  const identity = await identityOfPem({ key, cert, chain: undefined }, async () => '')
  const cms = await makeCms({
    digest: Buffer.from(String(prepared['digest']), 'base64'),
    algorithm: 'sha256',
    identity,
    isPss: false,
    signingTime: undefined,
    timestamp: undefined,
  })
  const path = join(folder, 'signature.der')
  writeFileSync(path, cms)
  const run = await sign([docId, '--cms', path, '--signing', signingId])
  t.equal(run.code, 0, run.stderr)
  t.match(await pdfsigOf(docId), valid)
})

t.test('openssl verifies the CMS over the signed bytes', judges, async (t) => {
  if (made === undefined) return
  const { signer, issuing, root } = made
  const docId = await uploaded()
  const prove = ['--key', signer.key, '--cert', signer.cert, '--chain', issuing.cert]
  t.equal((await sign([docId, '--field', 'approval', ...prove])).code, 0)
  await pdfsigOf(docId)
  const bytes = readFileSync(join(folder, `${docId}.pdf`))
  const [, ...range] = /\/ByteRange *\[ *(\d+) +(\d+) +(\d+) +(\d+)/.exec(bytes.toString('latin1')) ?? []
  const [from = 0, length = 0, next = 0, rest = 0] = range.map(Number)
  const signed = Buffer.concat([bytes.subarray(from, from + length), bytes.subarray(next, next + rest)])
  const hex = bytes.subarray(from + length + 1, next - 1).toString('latin1')
  const cms = pki.path('cms', Buffer.from(hex, 'hex'))
  const args = ['cms', '-verify', '-binary', '-inform', 'DER', '-in', cms, '-content', pki.path('signed', signed)]
  const out = pki.run([...args, '-CAfile', root.cert, '-purpose', 'any', '-cades'])
  t.same(out, signed)
})

t.test('a timestamp authority timestamps a signature, or the document', judges, async (t) => {
  if (made === undefined) return
  const { signer, time, root } = made
  let isHonest = true
  const authority = createServer(async (request, response) => {
    const query = await buffer(request)
    if (!isHonest) query.writeUInt8(query.readUInt8(query.length - 10) ^ 1, query.length - 10)
    response.end(pki.timestampResponse(query, time, [root]))
  })
  await new Promise<void>((done) => authority.listen(0, '127.0.0.1', done))
  t.teardown(() => authority.close())
  const { port } = authority.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/`
  const withKey = ['--key', signer.key, '--cert', signer.cert, '--timestamp', url]
  const docId = await uploaded()
  const first = await sign([docId, '--field', 'approval', ...withKey])
  t.equal(first.code, 0, first.stderr)
  t.match(await pdfsigOf(docId), valid)
  const second = await sign([docId, '--field', 'time', '--kind', 'timestamp', '--timestamp', url])
  t.equal(second.code, 0, second.stderr)
  t.match(await pdfsigOf(docId), /Signature Field Name: time[\s\S]*Total document signed/)
  isHonest = false
  const other = await uploaded()
  const refused = await sign([other, '--field', 'approval', ...withKey, '--json'])
  t.equal(refused.code, 1)
  t.match(records(refused.stdout), [{ code: 'documents.no-timestamp' }])
  isHonest = true
  t.equal((await sign([other, '--field', 'approval', ...withKey])).code, 0, 'the failed signing was cancelled')
})

t.test('Ctrl-C cancels the signing; a prepared one is cancelled by its id', judges, async (t) => {
  if (made === undefined) return
  const { signer } = made
  const docId = await uploaded()
  const silent = createServer()
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
  t.teardown(() => silent.closeAllConnections())
  t.teardown(() => silent.close())
  const { port } = silent.address() as AddressInfo
  const withKey = [docId, '--field', 'approval', '--key', signer.key, '--cert', signer.cert]
  const words = ['documents', 'sign', ...withKey, '--timestamp', `http://127.0.0.1:${port}/`]
  const running = start(words, { folder, env: here })
  await once(silent, 'request')
  running.child.kill('SIGINT')
  const { code, stderr } = await running.ended
  t.equal(code, 130, stderr)
  t.match(stderr, 'Interrupted: the signing is cancelled')

  const [prepared = {}] = records((await sign([docId, '--field', 'approval', '--external', '--json'])).stdout)
  const pending = await sign([docId, '--field', 'other', '--external'])
  t.equal(pending.code, 1)
  const cancel = `agents documents sign ID --cancel ${prepared['signingId']}`
  t.match(pending.stderr, cancel, 'the refusal shows the command that cancels it')
  const cancelled = await sign([docId, '--cancel', String(prepared['signingId'])])
  t.same([cancelled.code, cancelled.stdout], [0, 'Cancelled: the layer can be changed again.\n'])
  t.equal((await sign(withKey)).code, 0)
  t.equal((await sign([docId, '--cancel', 'nonsense'])).code, 1)
})

t.test('a failure does not cancel a signing that was prepared before', judges, async (t) => {
  if (made === undefined) return
  const { signer } = made
  const docId = await uploaded()
  const withKey = [docId, '--field', 'approval', '--key', signer.key, '--cert', signer.cert]
  const [prepared = {}] = records((await sign([docId, '--field', 'approval', '--external', '--json'])).stdout)
  const id = String(prepared['signingId'])
  const failed = await sign([...withKey, '--timestamp', 'http://127.0.0.1:9/'])
  t.equal(failed.code, 1)
  t.match(failed.stderr, `agents documents sign ${docId} --cancel ${id}`, 'the note shows the command that cancels it')
  t.equal((await sign([docId, '--field', 'other', '--external'])).code, 1, 'it is still pending')
  const signed = await sign(withKey)
  t.equal(signed.code, 0, signed.stderr)
  t.match((await sign([docId, '--cancel', id])).stdout, 'completed before', 'the same command continued it')
})

t.test('options that contradict each other are refused before anything is prepared', async (t) => {
  const cases: readonly (readonly string[])[] = [
    [],
    ['--field', 'a'],
    ['--field', 'a', '--key', 'k.pem'],
    ['--field', 'a', '--external', '--key', 'k.pem', '--cert', 'c.pem'],
    ['--field', 'a', '--kind', 'timestamp'],
    ['--cms', 'x.der'],
    ['--field', 'a', '--cms', 'x.der', '--signing', 'x'],
    ['--field', 'a', '--external', '--lock', 'some'],
    ['--cancel', 'x', '--field', 'a'],
  ]
  for (const words of cases) t.equal((await sign(['ID', ...words])).code, 64, words.join(' '))
  const missing = await sign(['ID', '--field', 'a', '--key', 'k.pem', '--cert', 'c.pem', '--json'])
  t.match(records(missing.stdout), [{ code: 'documents.bad-key', detail: /k\.pem/ }])
})
