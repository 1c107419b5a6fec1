// Edits of lists, flow collections and aliases: the file has the new value afterwards, and everything else is unchanged.
import t from 'tap'
import { parse } from 'yaml'
import { YamlEdit } from '../../../core/sync/yaml-edit.js'
import type { Json } from '../../../core/value/tree.js'

function edited(text: string, path: readonly string[], value: Json | undefined): string {
  const edit = new YamlEdit(text)
  edit.set('things', 'a', path, value)
  return edit.text()
}

const list = `things:
  a:
    resources:
      # The report.
      - type: file   # ours
        source: ./report.md
        mount_path: /data/report.md
      # The notes.
      - { type: store,  name: notes } # small
      # Last.
      - type: store
        name: rules
    more: 1
`

t.test('a changed item keeps its comments, and the others their spelling', async (t) => {
  const report = { type: 'file', source: './report.md', mount_path: '/data/report.md' }
  const notes = { type: 'store', name: 'notes' }
  const rules = { type: 'store', name: 'rules' }
  const moved = { ...report, mount_path: '/data/other.md' }
  t.equal(edited(list, ['resources'], [moved, notes, rules]), list.replace('/data/report.md', '/data/other.md'))
  const more = edited(list, ['resources'], [report, notes, { type: 'store', name: 'new' }, rules])
  t.equal(more, list.replace('      # Last.', '      - type: store\n        name: new\n      # Last.'))
  const less = edited(list, ['resources'], [report, rules])
  t.equal(less, list.replace('      # The notes.\n      - { type: store,  name: notes } # small\n', ''))
  const first = edited(list, ['resources'], [{ type: 'store', name: 'new' }, report, notes, rules])
  t.equal(first, list.replace('      # The report.\n', '      # The report.\n      - type: store\n        name: new\n'))
  const turned = edited(list, ['resources'], [rules, report, notes])
  t.strictSame(parse(turned).things.a.resources, [rules, report, notes])
  for (const comment of ['# The report.', '# ours', '# The notes.', '# small', '# Last.']) t.match(turned, comment)
})

t.test('in flow collections only changed parts are rewritten', async (t) => {
  const flow = 'things: { a: {config:  {type: cloud,hosts: [ x,y ] , n: 1 }, description: a } } # all\n'
  t.equal(edited(flow, ['config', 'hosts'], ['x', 'z', 'y']), flow.replace('[ x,y ]', '[ x, z,y ]'))
  t.equal(edited(flow, ['config', 'type'], undefined), flow.replace('type: cloud,', ''))
  t.equal(edited(flow, ['config', 'n'], undefined), flow.replace(' , n: 1', ''))
  t.equal(edited(flow, ['description'], '${B}'), flow.replace('description: a', 'description: "${B}"'))
  t.equal(edited(flow, ['config', 'm'], true), flow.replace('n: 1', 'n: 1, m: true'))
})

t.test('aliases and merged maps stay, and their values are written out only where they change', async (t) => {
  const head = 'x-c: &c {type: cloud}\nx-d: &d\n  k: v\nthings:\n'
  const flow = `${head}  a: {config: *c, description: a}\n`
  t.equal(edited(flow, ['description'], 'b'), flow.replace('description: a', 'description: b'))
  t.strictSame(parse(edited(flow, ['config', 'type'], 'own')).things.a, { config: { type: 'own' }, description: 'a' })
  const merged = `${head}  a: { <<: *d, description: a }\n`
  t.equal(edited(merged, ['description'], 'b'), merged.replace('description: a', 'description: b'))
  const whole = `${head}  e: &e { config: { type: cloud } }\n  a: *e\n`
  t.strictSame(parse(edited(whole, ['description'], 'b')).things, {
    e: { config: { type: 'cloud' } },
    a: { config: { type: 'cloud' }, description: 'b' },
  })
  const twice = new YamlEdit(`${head}  a:\n    config: *c\n`)
  twice.set('things', 'a', ['config', 'type'], 'own')
  twice.set('things', 'a', ['config', 'size'], 2)
  t.strictSame(parse(twice.text()).things.a, { config: { type: 'own', size: 2 } })
})

t.test('any value becomes any other, in any style', async (t) => {
  let seed = 7
  const below = (limit: number) => {
    seed = (seed * 48271) % 2147483647
    return seed % limit
  }
  const some = <Item>(items: readonly [Item, ...Item[]]): Item => items[below(items.length)] ?? items[0]
  const scalar = () => some<Json>(['x', 'two words', '${V}', 'a: b', '# no', 'One\nTwo\n', '', 1, true, 'yes', '- d'])
  const value = (depth: number): Json => {
    const kind = depth <= 0 ? 0 : below(4)
    if (kind <= 1) return scalar()
    const items = Array.from({ length: 1 + below(4) }, () => value(depth - 1))
    return kind === 2 ? items : Object.fromEntries(items.map((item) => [some(['name', 'b', 'c', 'k d', 'e']), item]))
  }
  const mutated = (current: Json): Json => {
    if (below(5) === 0) return value(2)
    if (Array.isArray(current)) {
      const retained = current.filter(() => below(4) > 0).map((item: Json) => (below(3) === 0 ? mutated(item) : item))
      const moved = below(4) === 0 ? [...retained].reverse() : retained
      return [...moved, ...(below(2) === 0 ? [value(1)] : [])]
    }
    if (typeof current === 'object' && current !== null)
      return Object.fromEntries(
        Object.entries(current).flatMap(([key, one]) => (below(6) === 0 ? [] : [[key, mutated(one ?? null)]])),
      )
    return below(3) === 0 ? scalar() : current
  }
  const { Document, visit } = await import('yaml')
  for (let round = 0; round < 400; round++) {
    const before = { first: value(3), second: value(2), third: scalar() }
    const document = new Document({ things: { a: before, b: { x: 1 } }, 'x-end': 1 }, { aliasDuplicateObjects: false })
    visit(document, {
      Collection: (_key, node) => {
        if (round % 3 === 0 && below(3) === 0) node.flow = true
      },
    })
    const text = document.toString({ lineWidth: 0 })
    const after = { first: mutated(before.first), second: mutated(before.second), third: mutated(before.third) }
    const edit = new YamlEdit(text)
    for (const [key, one] of Object.entries(after)) edit.set('things', 'a', [key], one)
    let written: unknown
    try {
      written = parse(edit.text())
    } catch (error) {
      written = String(error)
    }
    const isSo = t.same(written, { things: { a: after, b: { x: 1 } }, 'x-end': 1 }, `round ${round}`)
    if (!isSo) {
      t.comment(`${text}\n${JSON.stringify(after)}\n${edit.text()}`)
      break
    }
  }
})
