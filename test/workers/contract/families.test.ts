// Contracts of annotation subtypes and form families agree with each other and with their work.
import t from 'tap'
import { findWriting, readerOf } from '../../../workers/annotations/load-subtypes.js'
import { subtypeContracts } from '../../../workers/contract/annotations/annotation.js'
import type { SubtypeContract } from '../../../workers/contract/annotations/subtype-contract.js'
import { fieldContracts } from '../../../workers/contract/field-family.js'
import type { FamilyContract } from '../../../workers/contract/fields/family-contract.js'
import { familyOf } from '../../../workers/forms/load-families.js'

const subtypes: readonly SubtypeContract[] = subtypeContracts
const families: readonly FamilyContract[] = fieldContracts

t.test(
  'every subtype has a unique name and a reader, and a writer exactly if its contract allows writes',
  async (t) => {
    t.equal(new Set(subtypes.map(({ name }) => name)).size, subtypes.length)
    for (const { subtype, name, write } of subtypes) {
      t.type(readerOf(name ?? undefined), 'function', subtype)
      t.equal(findWriting(subtype) !== undefined, write !== null, subtype)
      t.equal(findWriting(subtype)?.name, write === null ? undefined : name, subtype)
    }
  },
)

t.test('members that a contract requires, widens or narrows exist in the subtype', async (t) => {
  for (const { subtype, schema, write } of subtypes) {
    const { required = [], requiredOneOf = [], written = {}, narrow = {} } = write ?? {}
    const named = [...required, ...requiredOneOf, ...Object.keys(written), ...Object.keys(narrow)]
    t.same(
      named.filter((member) => !Object.hasOwn(schema.properties, member)),
      [],
      subtype,
    )
  }
})

t.test('a subtype declared like another one has its members', async (t) => {
  const alike = subtypes.filter(({ like }) => like !== undefined)
  t.ok(alike.length > 0)
  for (const { subtype, like, schema } of alike) {
    const other = subtypes.find((one) => one.subtype === like)
    t.same(Object.keys(schema.properties), Object.keys(other?.schema.properties ?? {}), subtype)
  }
})

t.test('every family has a unique pair of type and flag, and the same members in drafts and patches', async (t) => {
  t.equal(new Set(families.map(({ type, flag }) => `${type} ${flag}`)).size, families.length)
  for (const { family, draft, patch } of fieldContracts) {
    t.same(Object.keys(draft ?? {}).toSorted(), Object.keys(patch).toSorted(), family)
    t.type(familyOf(family).read, 'function', family)
  }
})
