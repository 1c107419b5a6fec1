// 5.2: a document token opens an encrypted document with its password, in a session: sealed, bounded in time, and its own.
import t, { type Test } from 'tap'
import { limits } from '../../../server/limits.js'
import { scratchFolder } from '../../cli/scratch.js'
import { needs } from '../../support/pdf/judges.js'
import { lockedPdf } from '../../support/pdf/locked-pdf.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import { wordsIn } from '../../support/words-in-folder.js'
import type { Answer, Client } from '../support/client.js'
import { EventReader } from '../support/events.js'
import { done, type Running, runServer, type TokenRequest } from '../support/running-server.js'

const [user, owner, wrong] = ['correct horse ü', 'battery-staple-7431', 'wrong-guess-5519']
const secretText = 'Confidential-8842'
const viewer = { 'x-engine-session-id': 'cloud:1b671a64-40d5-491e-99b0-da01ff1f3341' }
const plain = onePage(`BT /F1 12 Tf 20 100 Td (${secretText}) Tj ET`, { resources: helvetica })

const needsQpdf = needs('qpdf')
if (needsQpdf.skip) t.plan(0, needsQpdf.skip)
else await run()

async function run(): Promise<void> {
  const server = await runServer(t, { settings: { logLevel: 'debug' } })
  const locked = lockedPdf(t, plain, { user, owner })
  const id = await server.upload(locked)

  const readersOf = async (running: Running, docId = id, more: TokenRequest = {}) =>
    running.api.as(await running.documentToken(docId, ['*'], more))
  const unlock = (client: Client, body: unknown, { docId = id, layer = 'default', headers = {} } = {}) =>
    client.send(`/v1/docs/${docId}/layers/${layer}/access`, { method: 'POST', json: body, headers })
  const textOf = (client: Client, headers = {}, docId = id) =>
    client.get(`/v1/docs/${docId}/layers/default/text/pages/obj:3/data`, headers)
  const isLocked = (t: Test, answer: Answer, what: string) =>
    t.same([answer.status, answer.code], [422, 'DocPasswordRequired'], what)
  const isOpen = (t: Test, answer: Answer, what: string) => {
    t.equal(answer.status, 200, `${what} ${answer.text.slice(0, 200)}`)
    t.match(answer.at('/text'), secretText, what)
    t.equal(answer.headers.get('cache-control'), 'no-store', what)
  }

  t.test('with the right password, the token reads from then on; no other token does', async (t) => {
    const [ada, eve] = [await readersOf(server), await readersOf(server)]
    isLocked(t, await textOf(ada), 'before')
    isLocked(t, await unlock(ada, {}), 'without a password')
    const refused = await unlock(ada, { password: wrong })
    t.same([refused.status, refused.code], [422, 'DocPasswordIncorrect'])
    isLocked(t, await textOf(ada), 'after a wrong one')
    const access = done(await unlock(ada, { password: user, objectNumbers: 8 }))
    t.match(access.at('/edit/objectNumbers'), [{ count: 8 }])
    t.match(access.json(), {
      security: { encryption: { state: 'encrypted' }, access: { required: false, reasons: { length: 0 } } },
      pdfPermissions: { openedAs: 'user', flags: { bit3: false, bit5: true }, advisory: { canPrint: false } },
      scope: ['*'],
      originPasswordPolicy: { mode: 'server-session' },
      cdn: { adapter: 'none' },
      protection: { enforced: null },
    })
    isOpen(t, await textOf(ada), 'after it')
    for (const path of ['manifest', 'layout', 'annotations/items', 'form', 'download', 'render/pages/obj:3/data'])
      t.equal((await ada.get(`/v1/docs/${id}/layers/default/${path}`)).status, 200, path)
    const head = await ada.get(`/v1/docs/${id}/layers/default/head`)
    t.match(head.json(), { permissions: { openedAs: 'user' }, access: { required: false } })
    isLocked(t, await textOf(eve), 'another token of the same subject')
    t.match((await eve.get(`/v1/docs/${id}/head`)).json(), { access: { required: true, reasons: ['password'] } })
    const drafts = await readersOf(server, id, { layerName: 'drafts' })
    t.equal((await unlock(drafts, { password: user })).status, 403, 'the layer of the path')
    done(await unlock(drafts, { password: user }, { layer: 'drafts' }))
    isLocked(t, await textOf(eve), 'nor does a session of another layer')
  })

  t.test('writes go through the session, and what they stored is read back with it', async (t) => {
    const ada = await readersOf(server)
    const items = `/v1/docs/${id}/layers/default/annotations/pages/obj:3/items`
    const draft = { subtype: 'square', box: { x: 10, y: 10, width: 20, height: 20 } }
    isLocked(t, await ada.post(items, draft), 'before')
    done(await unlock(ada, { password: user }))
    done(await ada.post(items, draft))
    t.equal((await ada.get(items)).at('/annotations/0/subtype'), 'square')
  })

  t.test('a session goes on with renewed tokens in the same window, for the same subject or share alone', async (t) => {
    const ada = await readersOf(server)
    const { passwordGrant } = done(await unlock(ada, { password: user }, { headers: viewer })).json() as {
      passwordGrant: string
    }
    isOpen(t, await textOf(ada), 'the token that opened it')
    const renewed = await readersOf(server)
    isOpen(t, await textOf(renewed, viewer), 'another token of the subject')
    isLocked(t, await textOf(renewed), 'which names no window')
    isLocked(t, await textOf(renewed, { 'x-engine-session-id': `${viewer['x-engine-session-id']}0` }), 'another window')
    isLocked(t, await textOf(await readersOf(server, id, { sub: 'eve' }), viewer), 'another subject')
    const visitors = await shareVisitors(server, id)
    const visitor = await visitors()
    isLocked(t, await textOf(visitor, viewer), 'a visitor of a share')
    const opened = done(await unlock(visitor, { password: user }, { headers: viewer }))
    isOpen(t, await textOf(await visitors(), viewer), 'the visitor after the renewal')
    const other = await visitors()
    isLocked(t, await textOf(other), 'another visitor of the share')
    isLocked(t, await textOf(await (await shareVisitors(server, id))(), viewer), 'a visitor of another share')
    done(await unlock(other, { passwordGrant: opened.word('/passwordGrant') }))
    isOpen(t, await textOf(other), 'with the grant of the first')
    isLocked(t, await unlock(other, { passwordGrant }), 'with the grant of somebody else')
  })

  t.test(
    'a share, and a token, has so many sessions, which are counted, and the oldest one ends for another',
    async (t) => {
      const docId = await server.upload(locked)
      const used = async () => Number(done(await server.api.get('/v1/tenants/acme/usage')).at('/metrics/storage.bytes'))
      const windowOf = (number: number) => ({ 'x-engine-session-id': `cloud:${String(number).padStart(40, '0')}` })
      const visitors = await shareVisitors(server, docId)
      const [first, second] = [await visitors(), await visitors()]
      const before = await used()
      done(await unlock(first, { password: user }, { docId, headers: windowOf(0) }))
      isOpen(t, await textOf(first, {}, docId), 'the first one')
      const once = await used()
      t.ok(once > before + 200, `${once - before} bytes`)
      for (let number = 1; number < limits.sessionsOfShareMax; number++) {
        done(await unlock(second, { password: user }, { docId, headers: windowOf(number) }))
      }
      isLocked(t, await textOf(first, windowOf(0), docId), 'the oldest one')
      isOpen(t, await textOf(second, {}, docId), 'the newest one')
      const full = await used()
      for (const visitor of [await visitors(), await visitors()]) {
        const opened = done(await unlock(visitor, { password: user }, { docId }))
        isOpen(t, await textOf(visitor, {}, docId), 'another one')
        t.type(opened.at('/passwordGrant'), 'string')
      }
      t.ok((await used()) < full + 500, 'no more than before')
      const token = await readersOf(server, docId)
      for (let number = 0; number <= limits.sessionsOfTokenMax; number++) {
        done(await unlock(token, { password: user }, { docId, headers: windowOf(number) }))
      }
      const renewed = await readersOf(server, docId)
      isLocked(t, await textOf(renewed, windowOf(0), docId), 'the oldest window of the token')
      isOpen(t, await textOf(renewed, windowOf(1), docId), 'the next one')
      done(await server.api.send(`/v1/tenants/acme/documents/${docId}`, { method: 'DELETE' }))
      server.clock.advance(2000)
      t.ok((await used()) <= before, 'they go with their document')
    },
  )

  t.test('ids that can be guessed name no window', async (t) => {
    const headers = { 'x-engine-session-id': 'window-1' }
    done(await unlock(await readersOf(server), { password: user }, { headers }))
    isLocked(t, await textOf(await readersOf(server), headers), 'another token')
  })

  t.test('others do not learn the id of a window, which opens the document', async (t) => {
    const [ada, grace] = [await readersOf(server), await readersOf(server, id, { sub: 'grace' })]
    const layer = `/v1/docs/${id}/layers/default`
    done(await unlock(ada, { password: user }, { headers: viewer }))
    done(await unlock(grace, { password: user }))
    const [own, others] = await Promise.all([
      EventReader.open(ada, `${layer}/events`, viewer),
      EventReader.open(grace, `${layer}/events`),
    ])
    const change = { changes: [{ opId: 'secret-window', ops: [{ type: 'metadata.update', patch: { title: 'New' } }] }] }
    done(await ada.post(`${layer}/changes`, change, viewer))
    t.equal((await own.take(1))[0]?.data['originSessionId'], viewer['x-engine-session-id'])
    const [event] = await others.take(1)
    t.type(event?.data['originSessionId'], 'string')
    const audit = await server.api.get(`/v1/tenants/acme/documents/${id}/audit`)
    for (const text of [JSON.stringify(event?.data), audit.text]) t.notMatch(text, viewer['x-engine-session-id'])
    await Promise.all([own.close(), others.close()])
  })

  t.test('a grant reopens the session for the same subject, until it expires', async (t) => {
    const [ada, later, eve] = [
      await readersOf(server),
      await readersOf(server),
      await readersOf(server, id, { sub: 'eve' }),
    ]
    const passwordGrant = done(await unlock(ada, { password: user })).word('/passwordGrant')
    t.notMatch(Buffer.from(passwordGrant, 'base64url').toString('latin1'), user)
    isLocked(t, await unlock(eve, { passwordGrant }), 'another subject')
    isLocked(t, await unlock(later, { passwordGrant: `${passwordGrant.slice(0, -6)}AAAAAA` }), 'a changed one')
    isLocked(t, await unlock(later, { passwordGrant: 'x' }), 'nonsense')
    done(await unlock(later, { passwordGrant }))
    isOpen(t, await textOf(later), 'the same subject')
  })

  t.test('the password of the owner lifts what the file forbids', async (t) => {
    const permissions = ['--print=none', '--extract=n', '--modify=none']
    const docId = await server.upload(lockedPdf(t, plain, { user: '', owner, permissions }))
    const reader = server.api.as(await server.documentToken(docId, ['pdf.permissions']))
    t.equal((await textOf(reader, {}, docId)).status, 403, 'copying is forbidden')
    const before = done(await unlock(reader, {}, { docId }))
    t.notOk(JSON.stringify(before.at('/effectiveScope')).includes('doc.text.copy'))
    t.match(before.json(), { passwordGrant: null, originPasswordPolicy: { mode: 'not-needed' } })
    const asUser = await unlock(reader, { password: owner.slice(1), mode: 'any' }, { docId })
    t.equal(asUser.code, 'DocPasswordIncorrect')
    const lifted = done(await unlock(reader, { password: owner, mode: 'owner' }, { docId }))
    t.match(lifted.json(), {
      pdfPermissions: { openedAs: 'owner', allAllowed: true, advisory: { canPrint: true, canModifyPages: true } },
      security: { permissions: { openedAs: 'owner', canUpgradeToOwner: false } },
    })
    t.ok(JSON.stringify(lifted.at('/effectiveScope')).includes('doc.text.copy'))
    isOpen(t, await textOf(reader, {}, docId), 'copying is allowed')
    const rotated = { pages: [{ kind: 'objectNumber', objectNumber: 3 }], rotation: 90 }
    const change = await reader.post(`/v1/docs/${docId}/layers/default/pages/rotate`, rotated)
    t.equal(change.status, 200, change.text)
    const notOwner = await unlock(await readersOf(server), { password: user, mode: 'owner' })
    t.equal(notOwner.code, 'DocPasswordIncorrect', 'the password of the user is not the one of the owner')
  })

  t.test('the API token has no session: it sends the password each time', async (t) => {
    t.match(done(await unlock(server.api, { password: user })).json(), {
      originPasswordPolicy: { mode: 'client-retry' },
      scope: ['*'],
    })
    isLocked(t, await textOf(server.api), 'without it')
  })

  t.test('a document that is not encrypted says what the token may', async (t) => {
    const docId = await server.upload(plain)
    const scope = ['doc.open', 'doc.forms.fill', 'annotations:create:self']
    const reader = server.api.as(await server.documentToken(docId, scope, { userId: 'u1', displayName: 'Ada' }))
    for (const body of [{}, { password: 'not needed' }]) {
      t.match(done(await unlock(reader, body, { docId })).json(), {
        scope,
        effectiveScope: ['doc.annotate.read', 'doc.forms.fill', 'doc.forms.read', 'doc.open'],
        identity: { userId: 'u1', displayName: 'Ada' },
        passwordGrant: null,
        security: {
          encryption: { state: 'none' },
          permissions: { known: true, bits: 0xffff_fffc, allAllowed: true },
        },
        pdfPermissions: { bits: 0xffff_fffc, flags: { bit3: true, bit12: true }, advisory: { canPrint: true } },
      })
    }
  })

  t.test('guesses are limited by document and network; right ones use nothing up, and wait at the limit', async (t) => {
    const strict = await runServer(t, { rateBounds: { documentGuesses: 3 } as never })
    const docId = await strict.upload(locked)
    const eve = await readersOf(strict, docId)
    for (let count = 0; count < 5; count++) done(await unlock(eve, { password: user }, { docId }))
    const guesses = []
    for (let count = 0; count < 6; count++) guesses.push(await unlock(eve, { password: `${wrong}${count}` }, { docId }))
    t.same(
      guesses.map(({ status }) => status),
      [422, 422, 422, 429, 429, 429],
    )
    t.match(guesses.at(-1)?.headers.get('retry-after'), /^\d+$/)
    isOpen(t, await textOf(eve, {}, docId), 'the session goes on')
    done(await unlock(eve, { password: user }, { docId }))
    const mallory = await readersOf(strict, docId)
    const right = await unlock(mallory, { password: user }, { docId })
    t.equal(right.status, 429, 'a guess that is right is not told from others, though the file is open to somebody')
  })

  t.test('a session ends after its time, survives a restart, and goes with its document', async (t) => {
    const folder = scratchFolder(t, 'data')
    const first = await runServer(t, { folder })
    const docId = await first.upload(locked)
    const ada = await first.documentToken(docId, ['*'], { expiresIn: 24 * 60 * 60 })
    const access = done(await unlock(first.api.as(ada), { password: user }, { docId }))
    const endsMs = Number(access.at('/expiresAt')) * 1000
    t.ok(Math.abs(endsMs - Date.now() - limits.passwordSessionMs) < 60_000)
    await first.close()
    t.same(wordsIn(folder, [user]), [], 'no file contains the password')
    const second = await runServer(t, { folder })
    const again = second.api.as(ada)
    isOpen(t, await textOf(again, {}, docId), 'after a restart')
    second.clock.advance(limits.passwordSessionMs + 1000)
    isLocked(t, await textOf(again, {}, docId), 'after its time')
    done(await second.api.send(`/v1/tenants/acme/documents/${docId}`, { method: 'DELETE' }))
    t.equal((await textOf(again, {}, docId)).status, 401)
  })

  t.test('neither the password nor what it opens is in the log or on disk', async (t) => {
    t.same(wordsIn(server.dataFolder, [user, owner, wrong]), [])
    for (const secret of [user, owner, wrong]) t.notOk(server.log().includes(secret), 'the log')
  })
}

async function shareVisitors({ api }: Running, docId: string): Promise<() => Promise<Client>> {
  const share = done(await api.post('/v1/tenants/acme/shares', { docId, scope: ['*'] })).word('/share/id')
  return async () => {
    const exchanged = await api.send('/v1/share-sessions', {
      method: 'POST',
      json: { shareToken: share },
      headers: { origin: 'https://app.example' },
    })
    return api.as(done(exchanged).word('/token'))
  }
}
