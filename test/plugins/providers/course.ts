// What the tables over providers try with one object of a kind: it is created, changed in every field, changed by somebody
// else, and archived. The rows are what providers differ in.
import type { Test } from 'tap'
import type { JsonObject } from '../../../core/value/tree.js'
import type { Content, Workbench } from '../workbench.js'

export interface Course {
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

async function opened(t: Test, kind: string, course: Course, body: object = course.full): Promise<Workbench> {
  const bench = await course.open(t)
  await course.furnish?.(bench)
  bench.declare(kind, name, body, course.contents)
  await bench.create(kind, name)
  return bench
}

/** Tests the courses of a kind, by title of the provider. */
export function testCourses(t: Test, kind: string, courses: Readonly<Record<string, Course>>): void {
  const word = kind.replace('_', ' ')
  for (const [provider, course] of Object.entries(courses))
    t.test(provider, async (t) => {
      const { titles = {} } = course
      t.test(titles.created ?? `a created ${word} needs no change`, (t) => testCreated(t, kind, course))
      t.test(titles.changed ?? `every field of a ${word} can be changed and cleared`, (t) =>
        testChanges(t, kind, course),
      )
      if (course.updateSends) t.test(`an update of a ${word} sends what changed`, (t) => testUpdate(t, kind, course))
      if (course.byHand)
        t.test(titles.byHand ?? `what other clients change in a ${word} is planned leaf by leaf, and reverted`, (t) =>
          testDrift(t, kind, course),
        )
      if (course.archivedAt !== undefined)
        t.test(titles.archived ?? `an archived ${word} is not listed and counts as gone`, (t) =>
          testArchived(t, kind, course),
        )
    })
}

async function testCreated(t: Test, kind: string, course: Course): Promise<void> {
  const bench = await opened(t, kind, course)
  t.same(await bench.drift(kind, name), [])
  if (course.made) t.match(bench.remote(kind, name), course.made(bench))
  for (const [key, body] of Object.entries(course.others ?? { plain: {} })) {
    bench.declare(kind, key, body, course.contents)
    const { name: label, display_name = label } = await bench.create(kind, key)
    t.same(await bench.drift(kind, key), [], key)
    t.equal(display_name, key, 'the key is the default of the name')
  }
}

async function testChanges(t: Test, kind: string, course: Course): Promise<void> {
  const bench = await opened(t, kind, course)
  const before = bench.id(kind, name)
  for (const body of course.changes) {
    bench.declare(kind, name, body, course.contents)
    t.not((await bench.drift(kind, name)).length, 0, 'the plan shows the change')
    t.same(await bench.update(kind, name), [], 'the second plan is empty')
  }
  t.equal(bench.id(kind, name), before, 'it is the same object')
}

async function testUpdate(t: Test, kind: string, course: Course): Promise<void> {
  const bench = await opened(t, kind, course)
  bench.declare(kind, name, { ...course.full, description: 'Other' }, course.contents)
  t.same(await bench.update(kind, name), [])
  const sent = await Promise.all(['POST', 'PUT', 'PATCH'].map((method) => bench.sent(method, bench.id(kind, name))))
  t.same(
    sent.flat().map((body) => Object.keys(body).sort()),
    [course.updateSends],
  )
}

async function testDrift(t: Test, kind: string, course: Course): Promise<void> {
  const bench = await opened(t, kind, course)
  await changeByHand(bench, kind, course.byHand ?? {})
  t.same(await bench.drift(kind, name), course.byHand?.seen)
  t.same(await bench.update(kind, name), [])
  await changeByHand(bench, kind, course.noise ?? {})
  t.same(await bench.drift(kind, name), [], 'the order of lists, counters and defaults are no drift')
}

async function changeByHand(bench: Workbench, kind: string, { change, part }: NonNullable<Course['noise']>) {
  if (change) await bench.change(bench.id(kind, name), change)
  if (part) await bench.change(String((await bench.parts(kind, name)).get(part[0])?.['id']), part[1])
}

async function testArchived(t: Test, kind: string, course: Course): Promise<void> {
  const bench = await opened(t, kind, course)
  const { status } = await bench.request(
    'POST',
    `${course.archivedAt}/${bench.id(kind, name)}/archive`,
    {},
    course.headers,
  )
  t.equal(status, 200)
  t.equal(await bench.isGone(kind, name), true)
  t.notOk((await bench.listed(kind)).includes(bench.id(kind, name)))
}
