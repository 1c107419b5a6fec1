// `agents documents verify`: files signed by `documents sign`, judged without a server.
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { runServer } from '../server/support/running-server.js'
import { needs } from '../support/pdf/judges.js'
import { onePage } from '../support/pdf/raw-pdf.js'
import { Pki } from '../support/pki/pki.js'
import { agentsHere } from './in-process.js'
import { records, scratchFolder } from './scratch.js'

const openssl = needs('openssl')
const folder = scratchFolder(t)
const data = join(folder, 'data')
mkdirSync(data)
const server = await runServer(t, { folder: data })
const here = { STEWARD_URL: server.url, STEWARD_API_TOKEN: server.apiToken }
const pki = Pki.of(t)
const documents = (...words: readonly string[]) => agentsHere(['documents', ...words], { folder, env: here })
/** Runs `documents verify` without a server. */
const verify = (...words: readonly string[]) => agentsHere(['documents', 'verify', ...words], { folder })

writeFileSync(join(folder, 'page.pdf'), onePage('0 0 100 100 re f'))
const docId = (await documents('upload', 'page.pdf')).stdout.trim()
if (openssl.skip === false) {
  const [root, stranger] = [pki.authority('Root'), pki.authority('Stranger')]
  const { key, cert } = root.issue('A Signer')
  for (const [name, authority] of Object.entries({ roots: root, strangers: stranger })) {
    mkdirSync(join(folder, name))
    copyFileSync(authority.cert, join(folder, name, 'root.pem'))
  }
  await documents('sign', docId, '--field', 'approval', '--key', key, '--cert', cert, '--chain', root.cert)
  await documents('download', docId, '--out', 'signed.pdf')
  writeFileSync(join(folder, 'bare-page.pdf'), onePage('0 0 50 50 re f'))
  const bareId = (await documents('upload', 'bare-page.pdf')).stdout.trim()
  await documents('sign', bareId, '--field', 'approval', '--key', key, '--cert', cert)
  await documents('download', bareId, '--out', 'bare.pdf')
}

t.test('a signed file gets three verdicts, and exit code 0', openssl, async (t) => {
  const { code, stdout } = await verify('signed.pdf', '--trust-roots', 'roots')
  t.equal(code, 0, stdout)
  t.match(stdout, /FIELD +INTEGRITY +PERMISSION +TRUST +SIGNER\napproval +intact +unchanged +trusted +CN=A Signer\n/)
  const [signature, summary] = records((await verify('signed.pdf', '--json')).stdout)
  t.match(signature, {
    type: 'signature',
    fieldName: 'approval',
    integrity: { verdict: 'intact' },
    permission: { verdict: 'unchanged' },
    trust: { verdict: 'unknown' },
  })
  t.match(summary, { type: 'summary', isAccepted: true, signatures: 1, chainValid: true })
})

t.test('one negative verdict of the three decides the exit code', openssl, async (t) => {
  const untrusted = await verify('signed.pdf', '--trust-roots', 'strangers')
  t.equal(untrusted.code, 4)
  t.match(untrusted.stdout, /approval +intact +unchanged +untrusted/)
  const bytes = readFileSync(join(folder, 'signed.pdf'))
  bytes.write('1', bytes.indexOf('100 re f'))
  bytes.write('9', bytes.indexOf('100 100 re f'))
  writeFileSync(join(folder, 'flipped.pdf'), bytes)
  const broken = await verify('flipped.pdf')
  t.equal(broken.code, 4)
  t.match(broken.stdout, /approval +broken/)
})

t.test(
  'with roots everything but trusted ends with 4, and --require chooses the answers that must be a yes',
  openssl,
  async (t) => {
    // The signature of a stranger without the certificate of its issuer: nothing is known about it.
    const unknown = await verify('bare.pdf', '--trust-roots', 'strangers')
    t.match(unknown, { code: 4, stdout: /approval +intact +unchanged +unknown/ })
    t.equal((await verify('bare.pdf', '--trust-roots', 'roots')).code, 0, 'the issuer is a root')
    const both = ['--require', 'integrity', '--require', 'permission']
    const cases: readonly (readonly [number, readonly string[]])[] = [
      [0, ['bare.pdf']],
      [4, ['bare.pdf', '--require', 'trust']],
      [0, ['bare.pdf', '--trust-roots', 'strangers', ...both]],
      [0, ['signed.pdf', '--trust-roots', 'strangers', ...both]],
      [4, ['page.pdf', ...both]],
      [64, ['bare.pdf', '--require', 'everything']],
    ]
    for (const [code, words] of cases) t.equal((await verify(...words)).code, code, words.join(' '))
    t.equal((await documents('verify', docId, '--require', 'trust')).code, 4, 'the server has no roots')
    const [, summary] = records((await verify('bare.pdf', '--require', 'permission', '--json')).stdout)
    t.match(summary, { isAccepted: true, required: ['permission'] })
  },
)

t.test('policy.json in the folder of roots says which algorithms and keys are accepted', openssl, async (t) => {
  mkdirSync(join(folder, 'strict'))
  copyFileSync(join(folder, 'roots', 'root.pem'), join(folder, 'strict', 'root.pem'))
  writeFileSync(join(folder, 'strict', 'policy.json'), '{ "ecBitsMin": 384 }')
  const { code, stdout } = await verify('signed.pdf', '--trust-roots', 'strict')
  t.equal(code, 4)
  t.match(stdout, /Trust +The key of CN=A Signer is not accepted: the curve prime256v1/)
})

t.test('a file that is unsigned or not strictly a PDF is not verified', async (t) => {
  const unsigned = await verify('page.pdf')
  t.equal(unsigned.code, 4)
  t.match(unsigned.stdout, /No signatures/)
  copyFileSync(join(folder, 'page.pdf'), join(folder, 'damaged.pdf'))
  appendFileSync(join(folder, 'damaged.pdf'), 'startxref\n7\n%%EOF\n')
  t.equal((await verify('damaged.pdf')).code, 4)
})

t.test('a missing file, broken trust roots and a document id are refused', async (t) => {
  const missing = await verify('missing.pdf', '--json')
  t.match(records(missing.stdout), [{ code: 'documents.no-file' }])
  writeFileSync(join(folder, 'notes.txt'), 'no certificate, and no document')
  t.match(records((await verify('notes.txt', '--json')).stdout), [{ code: 'documents.no-pdf' }])
  t.equal((await documents('verify', docId, '--trust-roots', 'roots')).code, 64)
})

t.test('roots that cannot be read are a problem of verify and of the start of a server, by name', async (t) => {
  mkdirSync(join(folder, 'empty-roots'))
  mkdirSync(join(folder, 'broken-roots'))
  writeFileSync(join(folder, 'broken-roots', 'notes.txt'), 'no certificate')
  writeFileSync(join(folder, 'broken-roots', '.hidden'), 'passed over')
  const policies = {
    'torn-policy': '{\n  "rsaBitsMin": 2048,\n}',
    'short-policy': '{\n  "ecBitsMin": 256,\n  "rsaBitsMin": 512\n}',
    'misspelt-policy': '{ "rsaBitMin": 2048 }',
    'odd-policy': '{\n  "digests": ["sha256", "md5"]\n}',
  }
  for (const [name, text] of Object.entries(policies)) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'policy.json'), text)
  }
  const cases = {
    'torn-policy': /policy\.json: it is no JSON from line 3, column 1 on/,
    'short-policy': /policy\.json: line 3, column 3: \/rsaBitsMin .*1024/,
    'misspelt-policy': /policy\.json: line 1, column 3: \/rsaBitMin .*rsaBitsMin/,
    'odd-policy': /policy\.json: line 2, column 3: \/digests\/1 /,
    'missing-roots': /missing-roots: it does not exist/,
    'page.pdf': /page\.pdf: it is no folder/,
    'empty-roots': /empty-roots: there is no certificate in it/,
    'broken-roots': /notes\.txt: it is no certificate/,
  }
  for (const [name, detail] of Object.entries(cases)) {
    const verified = await verify('page.pdf', '--trust-roots', name, '--json')
    t.match(records(verified.stdout), [{ code: 'documents.bad-trust-roots', detail }])
    // `serve` resolves paths in the folder of its process, which here is that of the test.
    const [data, roots] = [join(folder, 'other-data'), join(folder, name)]
    const words = ['serve', '--port', '0', '--data', data, '--trust-roots', roots, '--json']
    const served = await agentsHere(words, { folder })
    t.equal(served.code, 1)
    t.match(records(served.stdout), [{ code: 'serve.bad-trust-roots', detail }])
  }
})

t.test('a document is verified by its server, as its file is here', openssl, async (t) => {
  const { code, stdout } = await documents('verify', docId)
  t.equal(code, 0, stdout)
  t.equal(stdout, (await verify('signed.pdf')).stdout)
  t.equal((await documents('verify', 'doc_missing')).code, 1)
})
