// Names of annotations in XFDF: a file that comes back finds its annotations, and two files of two documents never
// write over each other.
import t from 'tap'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { change, layerPath, outcomes } from '../changes/support/changing.js'
import { done, runServer } from '../support/running-server.js'
import { exchangeWith, xfdf } from './support/exchange.js'

const server = await runServer(t)
const { api } = server
const { importInto, exported, listed } = exchangeWith(api)

const note = (x: number, members: Readonly<Record<string, unknown>>) => ({
  subtype: 'text',
  rect: { x, y: x, width: 20, height: 20 },
  ...members,
})

async function addTo(docId: string, data: Readonly<Record<string, unknown>>) {
  const [page] = Object((await api.get(`${layerPath({ docId })}/layout`).then(done)).json()).pages
  const path = `${layerPath({ docId })}/annotations/pages/obj:${page.ref.objectNumber}/items`
  return Object((await api.send(path, { method: 'POST', json: data }).then(done)).at('/annotation'))
}

t.test('comments of two reviewers of one file stay apart in a third copy', async (t) => {
  const all = await server.upload(onePage(''))
  for (const [who, x] of [
    ['Ada', 10],
    ['Bo', 60],
  ] as const) {
    const copy = await server.upload(onePage(''))
    const { ref } = await addTo(copy, note(x, { contents: `${who}: remark` }))
    await addTo(copy, note(x, { contents: `${who}: reply`, reply: { to: ref } }))
    const answer = await importInto(all, await exported(copy)).then(done)
    t.match(answer.json(), {
      created: { length: 2 },
      updated: { length: 0 },
      unchangedCount: 0,
      skipped: { length: 0 },
    })
  }
  const found = await listed(all)
  t.same(
    found.map(({ contents }) => contents),
    ['Ada: remark', 'Ada: reply', 'Bo: remark', 'Bo: reply'],
  )
  t.equal(new Set(found.map(({ nm }) => nm)).size, 4)
  t.same(Object(found[3]?.['reply']).to, found[2]?.['ref'])
})

t.test('unnamed annotations are found again in the document that exported them, also inline ones', async (t) => {
  const docId = await server.upload(
    onePage('', { page: '/Annots[<</Type/Annot/Subtype/Text/Rect[5 5 25 25]/Contents(inline)/C[1 0 0]>>]' }),
  )
  const { ref } = await addTo(docId, note(40, { contents: 'plain' }))
  await addTo(docId, note(80, { contents: 'named', nm: 'mine' }))
  const first = await exported(docId)
  t.equal(await exported(docId), first, 'the names are stable')
  const again = await importInto(docId, first).then(done)
  t.match(again.json(), { created: { length: 0 }, updated: { length: 0 }, unchangedCount: 3, skipped: { length: 0 } })
  const path = `${layerPath({ docId })}/annotations/pages/obj:${ref.page.objectNumber}/items/obj:${ref.objectNumber}`
  await api.send(path, { method: 'PATCH', json: { contents: 'edited' } }).then(done)
  const back = await importInto(docId, first, { key: 'back' }).then(done)
  t.match(back.json(), { created: { length: 0 }, updated: [{ ref, contents: 'plain', nm: null }], unchangedCount: 2 })
  t.same(outcomes(await change(api, { docId }, { opId: 'undo', undoOf: 'back' })), ['applied'])
  t.match(await listed(docId), [{ contents: 'inline', nm: null }, { contents: 'edited', nm: null }, { nm: 'mine' }])
  const copy = await server.upload(onePage(''))
  t.match((await importInto(copy, first).then(done)).json(), { created: { length: 3 }, updated: { length: 0 } })
  t.match((await importInto(copy, first).then(done)).json(), { created: { length: 0 }, unchangedCount: 3 })
  t.match((await importInto(docId, await exported(copy)).then(done)).json(), {
    created: { length: 0 },
    updated: [{ ref }],
  })
})

t.test('characters that XML cannot carry make no difference', async (t) => {
  const docId = await server.upload(onePage(''))
  await addTo(docId, note(10, { nm: 'a\u0001', contents: 'one\u0001two\ufffe', subject: '\u000b' }))
  const file = await exported(docId)
  t.match(file, /name="a".*>onetwo</)
  const again = await importInto(docId, file).then(done)
  t.match(again.json(), { created: { length: 0 }, updated: { length: 0 }, unchangedCount: 1, skipped: { length: 0 } })
  const edited = await importInto(docId, file.replace('onetwo', 'onetwo!')).then(done)
  t.match(edited.json(), {
    created: { length: 0 },
    updated: [{ nm: 'a\u0001', contents: 'onetwo!', subject: '\u000b' }],
  })
})

t.test('a name of another document is an ordinary name', async (t) => {
  const docId = await server.upload(onePage(''))
  await addTo(docId, note(10, { contents: 'here' }))
  const answer = await importInto(docId, xfdf('<text page="0" rect="1,2,21,22" name="obj:6"/>')).then(done)
  t.match(answer.json(), { created: [{ nm: 'obj:6' }], updated: { length: 0 } })
})

const own = ['doc.open', 'doc.annotate.read', 'annotations:*:self']
const square = (name: string, title: string | undefined, contents: string, more = '') =>
  `<square page="0" rect="1,1,30,30" name="${name}"${title === undefined ? '' : ` title="${title}"`}${more}><contents>${contents}</contents></square>`
const person = async (docId: string, scope: readonly string[], identity: object) =>
  api.as(await server.documentToken(docId, scope, { sub: 'someone', ...identity }))

/** A document in which Bob has taken the name of an annotation in the file of Ada. */
async function taken(identity: object = { userId: 'bob', displayName: 'Bob' }, scope: readonly string[] = own) {
  const docId = await server.upload(onePage(''))
  const bob = await person(docId, scope, identity)
  const [page] = Object((await api.get(`${layerPath({ docId })}/layout`).then(done)).json()).pages
  const path = `${layerPath({ docId })}/annotations/pages/obj:${page.ref.objectNumber}/items`
  const rect = { x: 1, y: 1, width: 9, height: 9 }
  await bob.post(path, { subtype: 'square', rect, contents: 'by Bob', nm: 'n1' }).then(done)
  const said = async () => (await listed(docId)).map(({ nm, author, contents }) => [nm, author, contents])
  return { docId, bob, said }
}
const fileOfAda = xfdf(
  square('n1', 'Ada', 'I, Ada, agree') +
    square('n2', 'Ada', 'second') +
    square('n3', 'Ada', 'answer', ' inreplyto="n1"'),
)

t.test('who takes a name blocks no import, and gets neither the words nor the answers of another', async (t) => {
  const { docId, said } = await taken()
  const ada = await person(docId, own, { userId: 'ada', displayName: 'Ada' })
  const answer = await importInto(docId, fileOfAda, { client: ada }).then(done)
  t.match(answer.json(), {
    created: [{ nm: 'n1' }, { nm: 'n2' }, { nm: 'n3' }],
    updated: { length: 0 },
    skipped: { length: 0 },
  })
  t.same(answer.at('/created/2/reply/to'), answer.at('/created/0/ref'))
  const again = await importInto(docId, fileOfAda.replace('second', 'other'), { client: ada }).then(done)
  t.match(again.json(), { created: { length: 0 }, updated: [{ nm: 'n2' }], unchangedCount: 2, skipped: { length: 0 } })
  t.same(await said(), [
    ['n1', 'Bob', 'by Bob'],
    ['n1', 'Ada', 'I, Ada, agree'],
    ['n2', 'Ada', 'other'],
    ['n3', 'Ada', 'answer'],
  ])
})

t.test(
  'who takes name and display name of another gets no words by an import of somebody with all rights',
  async (t) => {
    const { docId, said } = await taken({ userId: 'bob', displayName: 'Ada' })
    const moderator = await person(docId, ['doc.open', 'doc.annotate.modify'], { userId: 'mod', displayName: 'Mod' })
    const titled = xfdf(square('n1', 'Ada', 'I, Ada, agree'))
    for (const [client, file] of [
      [moderator, xfdf(square('n1', undefined, 'I, Ada, agree'))],
      [api, titled],
    ] as const) {
      const answer = await importInto(docId, file, { client }).then(done)
      t.match(answer.json(), { created: [{ nm: 'n1' }], updated: { length: 0 }, skipped: { length: 0 } })
      t.match((await importInto(docId, file, { client }).then(done)).json(), {
        created: { length: 0 },
        unchangedCount: 1,
      })
    }
    t.same(await said(), [
      ['n1', 'Ada', 'by Bob'],
      ['n1', 'Mod', 'I, Ada, agree'],
      ['n1', 'Ada', 'I, Ada, agree'],
    ])
  },
)

t.test(
  'who takes name, display name and second of another gets neither words nor answers, by any import',
  async (t) => {
    const { docId, said } = await taken({ userId: 'bob', displayName: 'Ada' })
    const [ofBob] = await listed(docId)
    const when = ` creationdate="D:${String(ofBob?.['createdAt']).replace(/\D/g, '').slice(0, 14)}Z"`
    const file = xfdf(
      square('n1', 'Ada', 'I, Ada, agree', when) + square('n3', 'Ada', 'answer', `${when} inreplyto="n1"`),
    )
    const moderator = await person(docId, ['doc.open', 'doc.annotate.modify'], { userId: 'mod', displayName: 'Mod' })
    for (const client of [moderator, api]) {
      const answer = await importInto(docId, file, { client }).then(done)
      t.match(answer.json(), { created: [{ nm: 'n1' }, { nm: 'n3' }], updated: { length: 0 }, skipped: { length: 0 } })
      t.same(answer.at('/created/1/reply/to'), answer.at('/created/0/ref'))
      t.match((await importInto(docId, file, { client }).then(done)).json(), {
        created: { length: 0 },
        unchangedCount: 2,
      })
    }
    t.same((await said())[0], ['n1', 'Ada', 'by Bob'])
  },
)

t.test('an export finds what others named, for whoever may update it', async (t) => {
  const { docId, said } = await taken()
  const ada = await person(docId, own, { userId: 'ada', displayName: 'Ada' })
  const file = await exported(docId)
  const same = await importInto(docId, file, { client: ada }).then(done)
  t.match(same.json(), { created: { length: 0 }, updated: { length: 0 }, unchangedCount: 1, skipped: { length: 0 } })
  const better = file.replace('by Bob', 'better')
  const byAda = await importInto(docId, better, { client: ada }).then(done)
  t.match(byAda.json(), {
    created: { length: 0 },
    updated: { length: 0 },
    skipped: [{ reason: 'not-allowed', name: 'n1' }],
  })
  const renamed = await importInto(docId, better.replace('title="Bob"', 'title="Eve"')).then(done)
  t.match(renamed.json(), {
    created: { length: 0 },
    updated: { length: 0 },
    skipped: [{ reason: 'other-author', name: 'n1' }],
  })
  t.match((await importInto(docId, better).then(done)).json(), { created: { length: 0 }, updated: [{ userId: 'bob' }] })
  t.same(await said(), [['n1', 'Bob', 'better']])
})

t.test('what others named comes back unchanged from a program that drops identities, and is not doubled', async (t) => {
  const { docId, said } = await taken()
  const ada = await person(docId, own, { userId: 'ada', displayName: 'Ada' })
  await importInto(docId, xfdf(square('n2', 'Ada', 'hers')), { client: ada }).then(done)
  const file = (await exported(docId)).replaceAll(/ steward:id="[^"]*"/g, '')
  t.notMatch(file, 'steward:id')
  const added = file.replace('</annots>', `${square('n3', 'Ada', 'answer', ' inreplyto="n1"')}</annots>`)
  const before = await said()
  for (const client of [ada, api]) {
    const answer = await importInto(docId, file.replace('>hers<', '>better<'), { client }).then(done)
    t.match(answer.json(), {
      created: client === ada ? { length: 0 } : { length: 1, 0: { contents: 'better' } },
      skipped: { length: 0 },
    })
    t.same((await importInto(docId, file, { client }).then(done)).at('/skipped'), [])
  }
  const answered = await importInto(docId, added, { client: ada }).then(done)
  const [ofBob] = await listed(docId)
  t.match(answered.json(), { created: [{ contents: 'answer', reply: { to: ofBob?.['ref'] } }] })
  t.equal((await said()).filter(([, author]) => author === 'Bob').length, 1)
  t.same((await said())[0], before[0])

  const changed = await importInto(docId, file.replace('by Bob', 'by Bob?'), { client: ada }).then(done)
  t.match(changed.json(), { created: [{ nm: 'n1', author: 'Ada', contents: 'by Bob?' }], updated: { length: 0 } })
})

t.test('who makes the same annotation under the same author does not keep hers away', async (t) => {
  const { docId, said } = await taken({ userId: 'bob', displayName: 'Ada' })
  const [ofBob] = await listed(docId)
  const when = ` creationdate="D:${String(ofBob?.['createdAt']).replace(/\D/g, '').slice(0, 14)}Z"`
  const file = (await exported(docId)).replaceAll(/ steward:id="[^"]*"/g, '')
  t.ok(file.includes(when))
  const ada = await person(docId, own, { userId: 'ada', displayName: 'Ada' })
  t.match((await importInto(docId, file, { client: ada }).then(done)).json(), {
    created: [{ nm: 'n1', userId: 'ada' }],
  })
  const later = file.replace(when, ` creationdate="D:20200101000000Z"`)
  t.match((await importInto(docId, later).then(done)).json(), { created: [{ nm: 'n1' }] })
  t.equal((await said()).length, 3)
})

t.test('an own annotation is found under a name that others took too, and after its author was renamed', async (t) => {
  const { docId, said } = await taken()
  const file = xfdf(square('n1', 'Ada', 'hers'))
  const ada = await person(docId, own, { userId: 'ada', displayName: 'Ada' })
  await importInto(docId, file, { client: ada }).then(done)
  const renamed = await person(docId, own, { userId: 'ada', displayName: 'Ada L.' })
  const answer = await importInto(docId, file.replace('hers', 'newer'), { client: renamed }).then(done)
  t.match(answer.json(), { created: { length: 0 }, updated: [{ contents: 'newer' }], skipped: { length: 0 } })
  t.same((await said())[0], ['n1', 'Bob', 'by Bob'])
})

t.test('an import groups with nothing of others', async (t) => {
  const { docId } = await taken()
  const ada = await person(docId, own, { userId: 'ada', displayName: 'Ada' })
  const joining = ' inreplyto="n1" replyType="group"'
  const file = xfdf(square('n4', 'Ada', 'mine', joining))
  const answer = await importInto(docId, file, { client: ada }).then(done)
  t.match(answer.json(), {
    created: [{ reply: { type: 'reply' } }],
    skipped: [{ reason: 'members-ignored', members: ['replyType'] }],
  })
})

t.test('the name that an export gives an unnamed annotation is not for others to take', async (t) => {
  const { docId, bob } = await taken()
  const ada = await person(docId, own, { userId: 'ada', displayName: 'Ada' })
  await importInto(docId, xfdf('<text page="0" rect="40,40,60,60"><contents>plain</contents></text>'), { client: ada })
  const file = await exported(docId)
  const name = /<text [^>]*name="([^"]+)"/.exec(file)?.[1]
  const path = `${layerPath({ docId })}/annotations/pages/obj:3/items`
  const rect = { x: 1, y: 1, width: 9, height: 9 }
  await bob.post(path, { subtype: 'text', rect, contents: 'mine', nm: name }).then(done)
  const answer = await importInto(docId, file.replace('plain', 'better'), { client: ada }).then(done)
  t.match(answer.json(), { created: { length: 0 }, updated: [{ contents: 'better', userId: 'ada' }] })
})

t.test('every annotation of an export has a name of its own, whatever names others took', async (t) => {
  const { docId, bob, said } = await taken({ userId: 'bob', displayName: 'Ada' })
  const ada = await person(docId, own, { userId: 'ada', displayName: 'Ada' })
  const path = `${layerPath({ docId })}/annotations/pages/obj:3/items`
  const rect = { x: 40, y: 40, width: 9, height: 9 }
  await ada.post(path, { subtype: 'square', rect, contents: 'unnamed' }).then(done)
  await ada.post(path, { subtype: 'square', rect, contents: 'named', nm: 'n2' }).then(done)
  const namesIn = (file: string) => [...file.matchAll(/<square [^>]*name="([^"]+)"/g)].map(([, name]) => name)
  const [, derived] = namesIn(await exported(docId))
  for (const nm of [derived, 'n2']) {
    const made = await bob.post(path, { subtype: 'square', rect, contents: 'by Bob', nm }).then(done)
    const refs = [made.at('/annotation/ref')]
    await bob.post(`${path}/reorder`, { refs, position: 'start' }).then(done)
  }
  const before = await said()
  const file = await exported(docId)
  const names = namesIn(file)
  t.equal(names.length, 5)
  t.equal(new Set(names).size, 5)
  const changed = file.replaceAll('by Bob', 'words of another')
  for (const client of [ada, api]) {
    const answer = await importInto(docId, changed, { client }).then(done)
    t.match(answer.json(), { created: { length: 0 } })
    t.same(
      (await said()).filter(([, , contents]) => contents !== 'words of another'),
      before.filter(([, , contents]) => contents !== 'by Bob' || client === ada),
    )
  }
  const older = xfdf(square('n2', 'Ada', 'from before'))
  t.match((await importInto(docId, older, { client: ada }).then(done)).json(), {
    created: { length: 0 },
    updated: [{ userId: 'ada', contents: 'from before' }],
    skipped: { length: 0 },
  })
})

t.test('a name that somebody whom nothing names took is not that of an author either', async (t) => {
  const { docId, said } = await taken({}, ['doc.open', 'doc.annotate.modify'])
  for (const client of [api, await person(docId, ['doc.open', 'doc.annotate.modify'], {})]) {
    const answer = await importInto(docId, xfdf(square('n1', 'Ada', 'I, Ada, agree')), { client }).then(done)
    t.match(answer.json(), { created: { length: 0 }, updated: { length: 0 }, skipped: [{ reason: 'other-author' }] })
  }
  t.same(await said(), [['n1', null, 'by Bob']])
})

t.test('what may be updated still is, also in one import with what may not', async (t) => {
  const { docId, bob, said } = await taken()
  const ada = await person(docId, own, { userId: 'ada', displayName: 'Ada' })
  await importInto(docId, fileOfAda, { client: ada }).then(done)
  const file = xfdf(square('n1', 'Bob', 'by Ada?') + square('n2', 'Ada', 'better') + square('n4', undefined, 'new'))
  const answer = await importInto(docId, file, { client: ada, key: 'mixed' }).then(done)
  t.match(answer.json(), {
    created: [{ nm: 'n4' }],
    updated: [
      { nm: 'n1', contents: 'by Ada?' },
      { nm: 'n2', contents: 'better' },
    ],
    skipped: { length: 0 },
  })
  const ofBob = (await exported(docId)).replace('by Bob', 'mine').replace('better', 'not his')
  t.match((await importInto(docId, ofBob, { client: bob }).then(done)).json(), {
    created: { length: 0 },
    updated: [{ nm: 'n1', contents: 'mine' }],
    skipped: [{ reason: 'not-allowed', name: 'n2' }],
  })
  t.same(outcomes(await change(ada, { docId }, { opId: 'back', undoOf: 'mixed' })), ['applied'])
  t.same((await said())[2], ['n2', 'Ada', 'second'])
})
