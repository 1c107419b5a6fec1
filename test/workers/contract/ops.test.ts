// Contracts of change ops: what they say of an op agrees with its schema, and each has its work.
import t from 'tap'
import type { TSchema } from 'typebox'
import { opRoutes } from '../../../server/api/op-routes.js'
import { AnnotationRef } from '../../../workers/contract/annotation-ref.js'
import { FormFieldRef } from '../../../workers/contract/form-field-ref.js'
import { opContracts } from '../../../workers/contract/ops/index.js'
import { itemMembersOf } from '../../../workers/contract/ops/item-members.js'
import { PageRef } from '../../../workers/contract/page-ref.js'
import { opWorks, undoWorks } from '../../../workers/jobs/load-op-work.js'

const kinds = { annotations: AnnotationRef, fields: FormFieldRef, pages: PageRef } as const

/** Members of an op whose values are references of this kind, one or several. */
function membersOf(op: TSchema, kind: TSchema): ReadonlyMap<string, 'one' | 'several'> {
  const properties: Readonly<Record<string, TSchema>> = Object(op).properties
  const members = new Map<string, 'one' | 'several'>()
  for (const [name, schema] of Object.entries(properties)) {
    if (schema === kind) members.set(name, 'one')
    if (Object(schema).items === kind) members.set(name, 'several')
  }
  return members
}

t.test('an op names the annotations, fields and pages that its members refer to', async (t) => {
  for (const { type, op, names = {} } of opContracts) {
    for (const [kind, schema] of Object.entries(kinds)) {
      const members = membersOf(op, schema)
      const references = [...members].map(([name]) => [name, { name }] as const)
      const request = Object.fromEntries(
        references.map(([name, ref]) => [name, members.get(name) === 'one' ? ref : [ref]]),
      )
      const named: unknown = Object(names)[kind]?.(request) ?? []
      t.same(
        named,
        references.map(([, ref]) => ref),
        `${kind} of ${type}`,
      )
    }
  }
})

t.test('every op has its work, and nothing else has', async (t) => {
  t.same([...opWorks.keys()].toSorted(), opContracts.map(({ type }) => type).toSorted())
  t.ok(undoWorks.size >= 20, `${undoWorks.size} kinds of undo steps`)
})

t.test('every op can be requested: in a change, by a route of its own, or both', async (t) => {
  for (const { type, isBatchable, route } of opContracts) {
    t.ok(isBatchable || route, type)
    const routes = opRoutes.filter(({ name }) => name === `doc.${type}` || name.startsWith(`doc.${type}.`))
    t.same(
      routes.map(({ method }) => method),
      route?.methods ?? [],
      type,
    )
  }
})

t.test('item schemas show where annotations and fields are', async (t) => {
  t.same([...itemMembersOf('annotations.create')], [['annotation', 'annotation']])
  t.same([...itemMembersOf('annotations.restore')], [['annotations', 'annotation']])
  t.same([...itemMembersOf('forms.deleteWidget')], [['field', 'field']], 'its widget is a reference')
  t.same([...itemMembersOf('forms.updateWidget')], [['widget', 'annotation']])
  t.same([...itemMembersOf('forms.reset')].toSorted(), [
    ['fields', 'field'],
    ['widgets', 'annotation'],
  ])
  t.same([...itemMembersOf('pages.rotate')], [])
})

t.test('what may be changed in a signed document follows from what the op needs', async (t) => {
  for (const { type, needs, protection } of opContracts) {
    const fills = needs.capabilities.every((one) => one === 'doc.forms.fill' || one === 'doc.sign')
    const annotates = needs.collab !== undefined
    t.equal(protection, fills ? 'fill' : annotates ? 'annotate' : 'content', type)
  }
})
