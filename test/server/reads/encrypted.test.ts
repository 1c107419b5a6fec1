// Encrypted documents: every request is answered only after its own password was checked, and no password is stored.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { operations } from '../../../server/api/index.js'
import type { Operation } from '../../../server/operation/operation.js'
import { needs } from '../../support/pdf/judges.js'
import { lockedPdf } from '../../support/pdf/locked-pdf.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import type { Answer, Client, Sent } from '../support/client.js'
import { runServer } from '../support/running-server.js'
import { inTokenText, searchTokenOf } from '../support/search-token.js'
import { documents, sha256Of } from '../support/uploads.js'

const [user, owner, wrong] = ['correct horse ü', 'battery-staple-7431', 'wrong-guess-5519']
const secretText = 'Confidential-8842'

const needsQpdf = needs('qpdf')
if (needsQpdf.skip) t.plan(0, needsQpdf.skip)
else await run()

async function run(): Promise<void> {
  const server = await runServer(t, { settings: { logLevel: 'debug' } })
  const { api } = server
  const plain = onePage(`BT /F1 12 Tf 20 100 Td (${secretText}) Tj ET`, {
    resources: helvetica,
    page: '/Annots[5 0 R]',
    further: {
      5: `<</Type/Annot/Subtype/Square/Rect[10 10 50 50]/AP<</N 6 0 R>>>>`,
      6: { body: '<</Type/XObject/Subtype/Form/BBox[0 0 40 40]>>', stream: '0 0 9 9 re f' },
    },
  })
  const locked = lockedPdf(t, plain, { user, owner })
  const lockedId = await server.upload(locked)
  const ownedId = await server.upload(lockedPdf(t, plain, { user: '', owner }))
  const sha = sha256Of(locked)
  const listed = await api.get(`/v1/docs/${lockedId}/layers/default/annotations/items`, headersOf(user))
  // qpdf renumbers objects.
  const annotation = Number(listed.at('/annotations/0/ref/objectNumber'))

  const ofDocument = operations.filter(({ plane, answersLocked }) => plane === 'document' && !answersLocked)
  const page = { kind: 'objectNumber', objectNumber: 3 }
  const bodies: Readonly<Record<string, unknown>> = {
    'doc.links.create': { url: `/v1/docs/${lockedId}/layers/default/download` },
    'doc.annotations.previewMarks': { text: 'a' },
    'doc.objectNumbers.reserve': { count: 1 },
    'doc.pages.extract': { pages: [page] },
    'doc.annotations.exportAppearance': { refs: [{ kind: 'objectNumber', page, objectNumber: annotation }] },
  }
  const names: Readonly<Record<string, string>> = {
    layerName: 'default',
    pageKey: 'obj:3',
    annotKey: `obj:${annotation}`,
    fieldKey: 'obj:4',
    sha,
    index: '0',
    algorithm: 'sha256',
    signingId: 'not-there',
    key: inTokenText('a.txt'),
    token: await searchTokenOf(secretText, api, lockedId, headersOf(user)),
  }
  const queries: Readonly<Record<string, string>> = {
    'doc.signatures.analysis': '?since.revision=0',
    'doc.versions.analysis': '?since.revision=0',
    'doc.search.rects': '?q=a',
    'doc.search.full': '?q=a',
  }
  /** The document is not signed and has no attached file, so that these have nothing to answer with. */
  const ofSignature: ReadonlySet<string> = new Set([
    'doc.signatures.complete',
    'doc.signatures.cancel',
    'doc.versions.signatureContents',
    'doc.versions.signatureDigest',
    'doc.attachments.read',
    'doc.attachments.readOfAnnotation',
  ])
  const pathOf = ({ path }: Operation, docId: string): string =>
    path.replace(/:(\w+)/g, (_whole, name: string) => (name === 'docId' ? docId : (names[name] ?? '')))

  const call = (client: Client, operation: Operation, password?: string): Promise<Answer> => {
    const { name, method } = operation
    const sent: Sent = { method, headers: headersOf(password) }
    const json = bodies[name]
    const path = `${pathOf(operation, lockedId)}${queries[name] ?? ''}`
    return client.send(path, json === undefined ? sent : { ...sent, json })
  }

  const refused = (t: Test, answer: Answer, status: number, code: string, what: string) =>
    t.same([answer.status, answer.code, answer.headers.get('cache-control')], [status, code, 'no-store'], what)

  t.test('B6: every operation needs the password, also if its response is cached', async (t) => {
    t.ok(ofDocument.length >= 20, `${ofDocument.length} operations`)
    for (const round of ['cold', 'warm']) {
      for (const operation of ofDocument) {
        const what = `${operation.name}, ${round}`
        refused(t, await call(api, operation), 422, 'DocPasswordRequired', what)
        refused(t, await call(api, operation, wrong), 422, 'DocPasswordIncorrect', what)
        // Writes and event streams have their own tests; the password is checked in one place for all.
        if (operation.isChange || operation.resources || operation.isEndless || ofSignature.has(operation.name))
          continue
        const answer = await call(api, operation, round === 'cold' ? user : owner)
        t.equal(answer.status, operation.answer === 'none' ? 204 : 200, `${what} ${answer.text.slice(0, 200)}`)
        // A cache between client and server would not check the password.
        t.notMatch(answer.headers.get('cache-control') ?? 'no-store', 'immutable', what)
      }
    }
  })

  t.test('versioned reads need the password too, and are not cached by proxies', async (t) => {
    const manifest = await api.get(`/v1/docs/${lockedId}/layers/default/manifest`, headersOf(user))
    const pinned = `/v1/docs/${lockedId}/text/pages/obj:3/data@contentVersion=${manifest.at('/pages/0/cache/contentVersion')}`
    const answer = await api.get(pinned, headersOf(user))
    t.match(answer.at('/text'), secretText)
    t.equal(answer.headers.get('cache-control'), 'no-store')
    refused(t, await api.get(pinned), 422, 'DocPasswordRequired', 'without')
    const etag = answer.headers.get('etag') ?? ''
    refused(t, await api.get(pinned, { 'if-none-match': etag }), 422, 'DocPasswordRequired', 'held already')
  })

  t.test('head tells a document token only that a password is needed', async (t) => {
    const token = await server.documentToken(lockedId, ['*'])
    const head = await api.as(token).get(`/v1/docs/${lockedId}/head`)
    t.equal(head.status, 200)
    t.match(head.json(), {
      encryption: { state: 'encrypted', requiresPassword: true },
      permissions: { known: true, openedAs: null, canUpgradeToOwner: true },
      access: { required: true, reasons: ['password'] },
    })
    for (const operation of ofDocument) {
      refused(t, await call(api.as(token), operation), 422, 'DocPasswordRequired', operation.name)
      refused(t, await call(api.as(token), operation, user), 403, 'Forbidden', operation.name)
    }
  })

  t.test(
    'the API token must send the password for head too, which reports whether it is the user or owner password',
    async (t) => {
      const head = (password?: string) => api.get(`/v1/docs/${lockedId}/head`, headersOf(password))
      refused(t, await head(), 422, 'DocPasswordRequired', 'without')
      refused(t, await head(wrong), 422, 'DocPasswordIncorrect', 'wrong')
      t.match((await head(user)).json(), { permissions: { openedAs: 'user', allAllowed: false } })
      t.match((await head(owner)).json(), { permissions: { openedAs: 'owner', canUpgradeToOwner: false } })
    },
  )

  t.test(
    'a document that opens without a password accepts the right one, and refuses a wrong one, also if it is open already',
    async (t) => {
      const text = `/v1/docs/${ownedId}/layers/default/text/pages/obj:3/data`
      for (let round = 0; round < 2; round++) {
        t.equal((await api.get(text)).status, 200)
        t.equal((await api.get(text, headersOf(owner))).status, 200)
        refused(t, await api.get(text, headersOf(wrong)), 422, 'DocPasswordIncorrect', 'wrong')
      }
      t.match((await api.get(`/v1/docs/${ownedId}/head`)).json(), {
        encryption: { state: 'encrypted', requiresPassword: false },
        permissions: { openedAs: 'user' },
        access: { required: false },
      })
    },
  )

  t.test('a password for a document that is not encrypted changes nothing', async (t) => {
    const id = await server.upload(plain)
    const answer = await api.get(`/v1/docs/${id}/layers/default/text/pages/obj:3/data`, headersOf(wrong))
    t.match(answer.at('/text'), secretText)
  })

  t.test('a password is compared completely, also after U+0000', async (t) => {
    const text = `/v1/docs/${ownedId}/layers/default/text/pages/obj:3/data`
    for (const password of [`${user}\0`, `${user}\0anything`, `\0${user}`, `${owner}\0x`]) {
      const head = await api.get(`/v1/docs/${lockedId}/head`, headersOf(password))
      refused(t, head, 422, 'DocPasswordIncorrect', JSON.stringify(password))
    }
    // The user password is empty.
    refused(t, await api.get(text, headersOf('\0anything')), 422, 'DocPasswordIncorrect', 'empty')
  })

  t.test('a password must be base64', async (t) => {
    for (const header of ['not base64!', 'äöü', `${'QUFB'.repeat(1000)}`]) {
      const sent = await api.get(`/v1/docs/${lockedId}/head`, { 'x-document-password': encodeURI(header) })
      t.match(String(sent.status), /400|422/, header.slice(0, 12))
    }
  })

  t.test('a locked document has no thumbnail, and its bytes are downloaded unchanged', async (t) => {
    const tile = await api.get(`${documents}/${lockedId}/thumbnail`)
    t.same([tile.status, tile.at('/error/state')], [404, 'locked'])
    t.equal((await api.get(`${documents}/${lockedId}`)).at('/document/thumbnailState'), 'locked')
    t.ok((await api.get(`${documents}/${lockedId}/download`)).bytes.equals(locked))
  })

  t.test('neither passwords nor content of a locked page are in the log or on disk', async (t) => {
    const retained = [['the log', Buffer.from(server.log())] as const, ...filesUnder(server.dataFolder)]
    t.ok(retained.length > 4, `${retained.length} places`)
    for (const [place, bytes] of retained) {
      for (const password of [user, owner, wrong]) {
        const forms = [password, Buffer.from(password).toString('base64'), Buffer.from(password).toString('hex')]
        for (const form of forms) t.notOk(bytes.includes(form), place)
      }
    }
    t.same(readdirSync(join(server.dataFolder, 'workshop')), [], 'and nothing is left in the workshop')
  })
}

function headersOf(password: string | undefined): Readonly<Record<string, string>> {
  return password === undefined ? {} : { 'x-document-password': Buffer.from(password).toString('base64') }
}

function filesUnder(folder: string): readonly (readonly [path: string, bytes: Buffer])[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => [path, readFileSync(path)] as const)
}
