// Three users who share a `sub`, with every kind of credential, send random requests on the annotations of one document.
// Lists before and after each request are compared with a second implementation of the decision table of collaboration
// scopes: users may change, remove and restore what the table allows, and nothing that it allows is refused.
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { pageRef } from '../../../workers/contract/page-ref.js'
import { rawPdf } from '../../support/pdf/raw-pdf.js'
import { isLong, longTimeoutMs, seed } from '../../support/sample.js'
import type { Answer, Client } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'
import { changesIn, layerPath } from './support/changing.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
t.setTimeout(isLong ? longTimeoutMs : 300_000)

const server = await runServer(t)
const { api } = server
const rect = { x: 10, y: 10, width: 20, height: 20 }

/** Notes of the uploaded file, one of them inline, one with a popup and a reply; and a field. */
const pdf = (): Buffer =>
  rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[8 0 R]>>>>',
    2: '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
    3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Annots[<</Type/Annot/Subtype/Square/Rect[60 60 90 90]>>]>>',
    4: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Annots[5 0 R 6 0 R 7 0 R 8 0 R]>>',
    5: '<</Type/Annot/Subtype/Text/Rect[10 10 50 50]/Popup 6 0 R/T(Grace)>>',
    6: '<</Type/Annot/Subtype/Popup/Rect[50 50 90 90]/Parent 5 0 R>>',
    7: '<</Type/Annot/Subtype/Text/Rect[10 10 50 50]/IRT 5 0 R/T(Grace)>>',
    8: '<</Type/Annot/Subtype/Widget/FT/Tx/T(field)/Rect[200 10 250 50]/P 4 0 R>>',
  })

const people = {
  ada: { userId: 'ada', displayName: 'Ada', groupId: 'team' },
  bob: { userId: 'bob', displayName: 'Bob', groups: ['team'] },
  carol: { userId: 'carol', displayName: 'Carol' },
} as const
type Name = keyof typeof people

type Action = 'create' | 'update' | 'delete'
/** Decision of a credential per action; undefined = its scopes do not mention it, so `doc.annotate.modify` decides. */
type Filters = Readonly<Record<Action, 'all' | 'self' | 'group=team' | undefined>>
interface Credential {
  readonly filters: Filters
  readonly isModifying: boolean
}

const filters = (create: Filters['create'], update = create, remove = create): Filters => ({
  create,
  update,
  delete: remove,
})
const credentials: readonly Credential[] = [
  { filters: filters('self'), isModifying: true },
  { filters: filters('self'), isModifying: false },
  { filters: filters('self', undefined, 'self'), isModifying: false },
  { filters: filters('self', undefined, 'self'), isModifying: true },
  { filters: filters('all', 'self', 'all'), isModifying: false },
  { filters: filters('all', 'all', 'self'), isModifying: true },
  { filters: filters('self', 'group=team', 'group=team'), isModifying: true },
  { filters: filters('all', undefined, undefined), isModifying: false },
  { filters: filters('all'), isModifying: true },
  { filters: filters(undefined), isModifying: true },
]

const scopeOf = ({ filters, isModifying }: Credential): readonly string[] => [
  'doc.open',
  'doc.pages.modify',
  'doc.pages.assemble',
  'doc.redact',
  ...(isModifying ? ['doc.annotate.modify'] : []),
  ...Object.entries(filters).flatMap(([action, filter]) => (filter ? [`annotations:${action}:${filter}`] : [])),
]

interface Listed {
  readonly ref: {
    readonly kind: string
    readonly page: { readonly objectNumber: number }
    readonly objectNumber?: number
  }
  readonly subtype: string
  readonly userId: string | null
  readonly groupId: string | null
  readonly reply: { readonly to: unknown } | null
  readonly parent?: unknown
}

interface Caller {
  readonly name: Name
  readonly credential: Credential
}

/** The decision table of collaboration scopes. */
function may({ name, credential: { filters, isModifying } }: Caller, action: Action, owner: Listed): boolean {
  const filter = filters[action]
  if (filter === undefined) return isModifying
  if (filter === 'all') return true
  if (filter === 'self') return owner.userId === name
  return owner.groupId === 'team' && name !== 'carol'
}

const nameOf = ({ ref }: Listed): string => JSON.stringify(ref)
type Lists = ReadonlyMap<string, Listed>

async function listOf(docId: string): Promise<Lists> {
  const answer = done(await api.get(`${layerPath({ docId })}/annotations/items`))
  const all: readonly Listed[] = Object(answer.at('/annotations'))
  return new Map(all.map((one) => [nameOf(one), one]))
}

interface Effects {
  readonly changed: readonly Listed[]
  readonly gone: readonly Listed[]
  readonly back: readonly Listed[]
}

/** `known`: every annotation that ever existed, as last listed. */
function effectsOf(before: Lists, after: Lists, known: Lists): Effects {
  const isOther = (one: Listed) => after.has(nameOf(one)) && !isDeepStrictEqual(one, after.get(nameOf(one)))
  return {
    changed: [...before.values()].filter(isOther),
    gone: [...before.values()].filter((one) => !after.has(nameOf(one))),
    back: [...after.values()].filter((one) => !before.has(nameOf(one)) && known.has(nameOf(one))),
  }
}

/** Annotations that are deleted together with an annotation. */
function withDependants(lists: Lists, found: Listed): readonly Listed[] {
  const taken = new Map([[nameOf(found), found]])
  for (const one of taken.values()) {
    for (const other of lists.values()) {
      const names = [other.reply?.to, other.subtype === 'popup' ? other.parent : undefined]
      if (names.some((name) => isDeepStrictEqual(name, one.ref))) taken.set(nameOf(other), other)
    }
  }
  return [...taken.values()]
}

const which = fc.nat(1000)
const who = fc.record({
  name: fc.constantFrom<Name>('ada', 'bob', 'carol'),
  credential: fc.constantFrom(...credentials),
})
const kinds = {
  note: 4,
  reply: 5,
  group: 2,
  popup: 4,
  update: 3,
  hang: 2,
  answer: 1,
  delete: 8,
  reorder: 2,
  flatten: 2,
  flattenPage: 1,
  insert: 1,
  blank: 1,
  deletePage: 1,
  mark: 1,
  redact: 1,
  undo: 6,
  undoOfOthers: 2,
} as const
type Kind = keyof typeof kinds
const kind = fc.oneof(
  ...Object.entries(kinds).map(([name, weight]) => ({ weight, arbitrary: fc.constant(name as Kind) })),
)
const step = fc.record({ who, kind, which, further: which })

class Scene {
  readonly #clients = new Map<string, Client>()
  /** opIds of applied changes, by person. */
  readonly made: Record<Name, string[]> = { ada: [], bob: [], carol: [] }
  known: Lists = new Map()
  #count = 0

  constructor(readonly docId: string) {}

  async as({ name, credential }: Caller): Promise<Client> {
    const key = JSON.stringify([name, credential])
    const known = this.#clients.get(key)
    if (known !== undefined) return known
    const request = { sub: 'team', identity: people[name] }
    const made = api.as(await server.documentToken(this.docId, scopeOf(credential), request))
    this.#clients.set(key, made)
    return made
  }

  nextOpId(): string {
    return `op-${++this.#count}`
  }
}

interface Doing {
  readonly scene: Scene
  readonly caller: Caller
  readonly before: Lists
  readonly pick: <One>(all: readonly One[], by?: number) => One | undefined
  readonly further: number
}

interface Done {
  readonly isApplied: boolean
  readonly code: string | undefined
  /** User whose change the request undoes. */
  readonly isUndo?: boolean
  /** Annotations that the request must remove and change, if known in advance. */
  readonly expected?: { readonly gone: readonly Listed[]; readonly changed: readonly Listed[] }
}

const ofRoute = (answer: Answer): Done => ({ isApplied: answer.status === 200, code: answer.code })

async function send({ scene, caller }: Doing, work: object): Promise<Done> {
  const opId = scene.nextOpId()
  const answer = done(
    await (await scene.as(caller)).post(`${layerPath(scene)}/changes`, { changes: [{ opId, ...work }] }),
  )
  const [one] = changesIn(answer)
  if (one?.status === 'applied') scene.made[caller.name].push(opId)
  return { isApplied: one?.status === 'applied', code: one?.error?.code }
}

const routed = async ({ scene, caller }: Doing, path: string, body: object): Promise<Done> =>
  ofRoute(await (await scene.as(caller)).post(`${layerPath(scene)}/${path}`, body))

const create = (doing: Doing, page: number, data: object): Promise<Done> =>
  send(doing, { ops: [{ type: 'annotations.create', page: pageRef(page), data: { subtype: 'text', rect, ...data } }] })

/** Undefined = no annotation is suitable for the request. */
const doings: Readonly<Record<Kind, (doing: Doing) => Promise<Done | undefined>>> = {
  note: async (doing) => create(doing, doing.pick(await pagesOf(doing.scene)) ?? 3, {}),
  reply: onAny((doing, { ref }) => create(doing, ref.page.objectNumber, { reply: { to: ref } })),
  group: onAny((doing, { ref }) => create(doing, ref.page.objectNumber, { reply: { to: ref, type: 'group' } })),
  popup: onAny((doing, { ref }) => create(doing, ref.page.objectNumber, { subtype: 'popup', parent: ref })),
  update: onAny((doing, { ref }) => patched(doing, ref, { contents: `says ${doing.further}` })),
  hang: onAny((doing, { ref }) => {
    const popup = doing.pick(
      [...doing.before.values()].filter(({ subtype }) => subtype === 'popup'),
      doing.further,
    )
    return popup && patched(doing, popup.ref, { parent: ref })
  }),
  answer: onAny((doing, { ref }) => {
    const other = doing.pick([...doing.before.values()], doing.further)
    return other && patched(doing, other.ref, { reply: { to: ref } })
  }),
  delete: onAny(async (doing, one) => {
    const gone = withDependants(doing.before, one)
    // Remaining annotations whose popup is removed are changed as well.
    const windows = gone.flatMap((taken) => (taken.subtype === 'popup' ? [taken.parent] : []))
    const stays = [...doing.before.values()].filter((other) => !gone.includes(other))
    const changed = stays.filter(({ ref }) => windows.some((parent) => isDeepStrictEqual(parent, ref)))
    return {
      ...(await send(doing, { ops: [{ type: 'annotations.delete', ref: one.ref }] })),
      expected: { gone, changed },
    }
  }),
  reorder: onAny((doing, { ref }) =>
    send(doing, { ops: [{ type: 'annotations.reorder', page: ref.page, refs: [ref], position: 'start' }] }),
  ),
  flatten: onAny((doing, { ref }) =>
    routed(doing, `annotations/pages/obj:${ref.page.objectNumber}/items/flatten`, { refs: [ref], usage: 'display' }),
  ),
  async flattenPage(doing) {
    const page = doing.pick(await pagesOf(doing.scene)) ?? 3
    return routed(doing, 'pages/flatten', { pages: [pageRef(page)], usage: 'display' })
  },
  async insert({ scene, caller }) {
    const body = new FormData()
    body.set('file', new Blob([Buffer.from(pdf())], { type: 'application/pdf' }), 'source.pdf')
    return ofRoute(await (await scene.as(caller)).send(`${layerPath(scene)}/pages/insert`, { method: 'POST', body }))
  },
  blank: (doing) => routed(doing, 'pages/insert-blank', { size: { width: 300, height: 200 } }),
  async deletePage(doing) {
    const pages = await pagesOf(doing.scene)
    const page = pages.length > 1 ? doing.pick(pages) : undefined
    return page === undefined ? undefined : routed(doing, 'pages/delete', { pages: [pageRef(page)] })
  },
  mark: async (doing) => create(doing, doing.pick(await pagesOf(doing.scene)) ?? 3, { subtype: 'redact' }),
  async redact(doing) {
    const page = doing.pick(await pagesOf(doing.scene)) ?? 3
    return routed(doing, 'redactions/apply', { pages: [pageRef(page)] })
  },
  async undo(doing) {
    const opId = doing.pick(doing.scene.made[doing.caller.name].toReversed())
    return opId === undefined ? undefined : { ...(await send(doing, { undoOf: opId })), isUndo: true }
  },
  async undoOfOthers(doing) {
    const { scene, caller } = doing
    const others = (['ada', 'bob', 'carol'] as const).filter((name) => name !== caller.name)
    const opId = doing.pick(others.flatMap((name) => scene.made[name]))
    if (opId === undefined) return undefined
    const answer = await send(doing, { undoOf: opId })
    if (answer.code !== 'NotFound')
      throw new Error(`The undo of another user's change was answered ${JSON.stringify(answer)}`)
    return answer
  },
}

function onAny(act: (doing: Doing, one: Listed) => Promise<Done> | undefined): (typeof doings)[Kind] {
  return async (doing) => {
    const one = doing.pick([...doing.before.values()])
    return one && act(doing, one)
  }
}

const patched = (doing: Doing, ref: unknown, patch: object): Promise<Done> =>
  send(doing, { ops: [{ type: 'annotations.update', ref, patch }] })

async function pagesOf(scene: Scene): Promise<readonly number[]> {
  const pages: readonly { readonly ref: { readonly objectNumber: number } }[] = Object(
    done(await api.get(`${layerPath(scene)}/layout`)).at('/pages'),
  )
  return pages.map(({ ref }) => ref.objectNumber)
}

/** Returns differences that the caller was not allowed to cause. */
function wrongs(caller: Caller, kind: Kind, { changed, gone, back }: Effects): readonly string[] {
  const isOwn = ({ userId }: Listed): boolean => userId === caller.name
  const isBound = Object.values(caller.credential.filters).some((filter) => filter !== undefined)
  const isUndo = kind === 'undo'
  const isFree = (one: Listed): boolean =>
    kind === 'deletePage' && (!isBound || (one.userId === null && one.groupId === null))
  const mayChange = (one: Listed): boolean =>
    isOwn(one) || may(caller, 'update', one) || may(caller, 'delete', one) || isFree(one)
  // The right to create includes the undo of own creations.
  const mayRemove = (one: Listed): boolean =>
    may(caller, 'delete', one) || isFree(one) || (isUndo && isOwn(one) && may(caller, 'create', one))
  return [
    ...changed.filter((one) => !mayChange(one)).map((one) => `changed ${JSON.stringify(one)}`),
    ...[...gone, ...back].filter((one) => !mayRemove(one)).map((one) => `removed ${JSON.stringify(one)}`),
  ]
}

t.test('requests change, remove and restore only annotations for which the caller has this right', async (t) => {
  const seen = new Map<string, number>()
  const property = fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
    const scene = new Scene(await server.upload(pdf()))
    for (const { who: caller, kind, which, further } of steps) {
      const before = await listOf(scene.docId)
      scene.known = new Map([...scene.known, ...before])
      const pick: Doing['pick'] = (all, by = which) => all[by % Math.max(1, all.length)]
      const answer = await doings[kind]({ scene, caller, before, pick, further })
      if (answer === undefined) continue
      const outcome = answer.isApplied ? 'applied' : answer.code
      seen.set(`${kind} ${outcome}`, (seen.get(`${kind} ${outcome}`) ?? 0) + 1)
      const after = await listOf(scene.docId)
      const effects = effectsOf(before, after, scene.known)
      const reported = `${kind} by ${JSON.stringify(caller)}: ${JSON.stringify(answer)}`
      if (!answer.isApplied && !isDeepStrictEqual([...after], [...before]))
        throw new Error(`${reported}: the request was refused, but changed annotations`)
      const found = wrongs(caller, kind, effects)
      if (found.length > 0) throw new Error(`${reported} ${found.join(', ')}`)
      const isTheirs = answer.expected && wrongs(caller, kind, { ...answer.expected, back: [] }).length === 0
      if (isTheirs && answer.code === 'Forbidden')
        throw new Error(`${reported}: the request was refused, but the caller has all rights`)
    }
  })
  await fc.assert(property, { seed, numRuns: isLong ? 200 : 8, endOnFailure: !isLong })
  t.comment(
    [...seen]
      .toSorted()
      .map(([name, count]) => `${name}: ${count}`)
      .join(', '),
  )
  for (const outcome of ['reply applied', 'undo applied', 'delete applied', 'delete Forbidden']) {
    t.ok(seen.get(outcome), outcome)
  }
})
