// Differences between two readings of a layer.
import type { Act, Item } from './ops/act.js'
import { type FieldFacts, type Ref, type Subject, sameRef } from './subject.js'

/** Returns fields that differ from before although the op did not report them as changed. */
export function changedBeside({ type }: Act, before: Subject, now: Subject, item: Item): readonly unknown[] {
  if (!/^(?:annotations|forms|metadata)\./.test(type)) return []
  const named: readonly Ref[] = [...(Object(item['meta']).changedFields ?? []), Object(item['field']).ref]
  const isNamed = ({ ref }: FieldFacts): boolean => named.some((one) => sameRef(one, ref))
  return before.fields.flatMap((field) => {
    const found = now.fields.find(({ ref }) => sameRef(ref, field.ref))
    if (found === undefined || isNamed(field) || textOf(found) === textOf(field)) return []
    // Widgets that their field does not list are listed in the order of the page.
    if (type === 'forms.reorderWidgets' && textOf(inOrder(found)) === textOf(inOrder(field))) return []
    return [{ field: field.name, ...Object(membersThatDiffer(field, found)) }]
  })
}

const inOrder = (field: FieldFacts): FieldFacts => ({
  ...field,
  widgets: field.widgets.toSorted((one, other) => textOf(one).localeCompare(textOf(other))),
})

/** Matches who changed something last and when: an undo is a change as well. */
const attribution = /"(?:modified|filled)(?:At|By|ByName)":(?:null|"[^"]*"),?/g
const textOf = (value: unknown): string => JSON.stringify(value ?? null).replace(attribution, '')

/** Returns differing members of listings, with the first difference of each. */
export function differing(one: Subject, other: Subject): readonly unknown[] {
  const names = Object.keys(one).filter((name) => name in other)
  const [before, after] = [
    new Map<string, unknown>(Object.entries(one)),
    new Map<string, unknown>(Object.entries(other)),
  ]
  return names.flatMap((name): readonly unknown[] => {
    const [was, is] = [before.get(name), after.get(name)]
    if (textOf(was) === textOf(is)) return []
    if (!Array.isArray(was) || !Array.isArray(is)) return [{ [name]: [was, is] }]
    const place = was.findIndex((item, index) => textOf(item) !== textOf(is[index]))
    return [{ [name]: membersThatDiffer(was[place], is[place]), counts: [was.length, is.length] }]
  })
}

function membersThatDiffer(one: unknown, other: unknown): unknown {
  const names = [...new Set([...Object.keys(Object(one)), ...Object.keys(Object(other))])]
  const pairs = names.flatMap((name) => {
    const [was, is] = [JSON.stringify(Object(one)[name]), JSON.stringify(Object(other)[name])]
    return was === is ? [] : [[name, [was?.slice(0, 80), is?.slice(0, 80)]]]
  })
  return Object.fromEntries(pairs)
}
