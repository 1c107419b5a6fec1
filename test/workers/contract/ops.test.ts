// Contracts of change ops agree with the schemas of their ops, and each op has its work.
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

t.test('a contract lists all members that refer to annotations, fields and pages', async (t) => {
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

t.test('ops and op works correspond one to one', async (t) => {
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

t.test('a change contains every op but those that are requests of their own', async (t) => {
  const alone = opContracts.filter(({ isBatchable }) => !isBatchable).map(({ type }) => type)
  t.same(alone.toSorted(), [
    'annotations.flatten',
    'forms.reorderCalculations',
    'pages.delete',
    'pages.flatten',
    'pages.insert',
    'pages.insertBlank',
    'pages.removeName',
    'pages.reorder',
    'pages.rotate',
    'pages.setName',
    'pages.setScale',
    'redactions.apply',
  ])
})

t.test('a contract lists all members of its item that contain annotations and fields', async (t) => {
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

t.test('the protection class of an op follows from the capability it needs', async (t) => {
  for (const { type, needs, protection } of opContracts) {
    const fills = needs.capabilities.every((one) => one === 'doc.forms.fill' || one === 'doc.sign')
    const annotates = needs.collab !== undefined
    // These ops hide what was signed, or show another value than the field has.
    const disguises = type === 'forms.setDisplay' || type === 'forms.setAppearanceText'
    t.equal(protection, fills && !disguises ? 'fill' : annotates ? 'annotate' : 'content', type)
  }
})
