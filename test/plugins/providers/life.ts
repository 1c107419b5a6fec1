// What the tables over providers try with one object of a kind: it is created, changed in every field, changed by somebody
// else, and archived. The rows are what providers differ in.
import type { Test } from 'tap'
import type { JsonObject } from '../../../core/value/tree.js'
import type { Content, Workbench } from '../workbench.js'

export interface Life {
  readonly open: (t: Test) => Promise<Workbench>
  /** Declares and creates what the bodies refer to. */
  readonly furnish?: (bench: Workbench) => Promise<void>
  readonly full: object
  /** Further bodies that need no change once they are created, by name; `{ plain: {} }` unless given. */
  readonly others?: Readonly<Record<string, object>>
  readonly contents?: Readonly<Record<string, Content>>
  /** The object of `full` as the provider answers it. */
  readonly made?: (bench: Workbench) => object
  /** Bodies that follow `full` one after another, each other than the one before. */
  readonly changes: readonly object[]
  /** Members of the body of an update that changes the description alone. */
  readonly updateSends?: readonly string[]
  /** Patch by another client, of the object or of the part with a key, and the leaves in which it is seen. */
  readonly byHand?: {
    readonly change: JsonObject
    readonly part?: readonly [string, JsonObject]
    readonly seen: readonly string[]
  }
  /** What a service answers otherwise without a change by a client; `part` as above. */
  readonly noise?: { readonly change?: JsonObject; readonly part?: readonly [string, JsonObject] }
  /** Path of the objects, where the API archives them. */
  readonly archivedAt?: string
  /** Headers of direct calls that differ from those of other kinds. */
  readonly headers?: Readonly<Record<string, string>>
  /** Titles that carry a rule of the specification. */
  readonly titles?: Partial<Readonly<Record<'created' | 'changed' | 'byHand' | 'archived', string>>>
}

const name = 'subject'

async function opened(t: Test, kind: string, life: Life, body: object = life.full): Promise<Workbench> {
  const bench = await life.open(t)
  await life.furnish?.(bench)
  bench.declare(kind, name, body, life.contents)
  await bench.create(kind, name)
  return bench
}

/** Tests the lives of a kind, by title of the provider. */
export function testLives(t: Test, kind: string, lives: Readonly<Record<string, Life>>): void {
  const word = kind.replace('_', ' ')
  for (const [provider, life] of Object.entries(lives))
    t.test(provider, async (t) => {
      const { titles = {} } = life
      t.test(titles.created ?? `a created ${word} needs no change`, (t) => testCreated(t, kind, life))
      t.test(titles.changed ?? `every field of a ${word} can be changed and cleared`, (t) => testChanges(t, kind, life))
      if (life.updateSends) t.test(`an update of a ${word} sends what changed`, (t) => testUpdate(t, kind, life))
      if (life.byHand)
        t.test(titles.byHand ?? `what other clients change in a ${word} is planned leaf by leaf, and reverted`, (t) =>
          testDrift(t, kind, life),
        )
      if (life.archivedAt !== undefined)
        t.test(titles.archived ?? `an archived ${word} is not listed and counts as gone`, (t) =>
          testArchived(t, kind, life),
        )
    })
}

async function testCreated(t: Test, kind: string, life: Life): Promise<void> {
  const bench = await opened(t, kind, life)
  t.same(await bench.drift(kind, name), [])
  if (life.made) t.match(bench.remote(kind, name), life.made(bench))
  for (const [key, body] of Object.entries(life.others ?? { plain: {} })) {
    bench.declare(kind, key, body, life.contents)
    const { name: label, display_name = label } = await bench.create(kind, key)
    t.same(await bench.drift(kind, key), [], key)
    t.equal(display_name, key, 'the key is the default of the name')
  }
}

async function testChanges(t: Test, kind: string, life: Life): Promise<void> {
  const bench = await opened(t, kind, life)
  const before = bench.id(kind, name)
  for (const body of life.changes) {
    bench.declare(kind, name, body, life.contents)
    t.not((await bench.drift(kind, name)).length, 0, 'the plan shows the change')
    t.same(await bench.update(kind, name), [], 'the second plan is empty')
  }
  t.equal(bench.id(kind, name), before, 'it is the same object')
}

async function testUpdate(t: Test, kind: string, life: Life): Promise<void> {
  const bench = await opened(t, kind, life)
  bench.declare(kind, name, { ...life.full, description: 'Other' }, life.contents)
  t.same(await bench.update(kind, name), [])
  const sent = await Promise.all(['POST', 'PUT', 'PATCH'].map((method) => bench.sent(method, bench.id(kind, name))))
  t.same(
    sent.flat().map((body) => Object.keys(body).sort()),
    [life.updateSends],
  )
}

async function testDrift(t: Test, kind: string, life: Life): Promise<void> {
  const bench = await opened(t, kind, life)
  await changeByHand(bench, kind, life.byHand ?? {})
  t.same(await bench.drift(kind, name), life.byHand?.seen)
  t.same(await bench.update(kind, name), [])
  await changeByHand(bench, kind, life.noise ?? {})
  t.same(await bench.drift(kind, name), [], 'the order of lists, counters and defaults are no drift')
}

async function changeByHand(bench: Workbench, kind: string, { change, part }: NonNullable<Life['noise']>) {
  if (change) await bench.change(bench.id(kind, name), change)
  if (part) await bench.change(String((await bench.parts(kind, name)).get(part[0])?.['id']), part[1])
}

async function testArchived(t: Test, kind: string, life: Life): Promise<void> {
  const bench = await opened(t, kind, life)
  const { status } = await bench.request('POST', `${life.archivedAt}/${bench.id(kind, name)}/archive`, {}, life.headers)
  t.equal(status, 200)
  t.equal(await bench.isGone(kind, name), true)
  t.notOk((await bench.listed(kind)).includes(bench.id(kind, name)))
}
