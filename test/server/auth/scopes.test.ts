// Scopes of document tokens: the closed list, implied capabilities, permission bits of the PDF, and collaboration scopes.
import t from 'tap'
import { decide, parseCollabScope } from '../../../server/auth/collab.js'
import { holds, parseDocumentScope } from '../../../server/auth/document-scope.js'
import { matchesOrigin, originPattern } from '../../../server/auth/origins.js'
import {
  type Capability,
  capabilities,
  permissionBitsOf,
  permittedBy,
  withImplied,
} from '../../../workers/contract/capabilities.js'

/** Table of the contract: capabilities that each permission bit allows under `pdf.permissions`. */
const contract: Readonly<Record<string, 'always' | 'never' | readonly (readonly number[])[]>> = {
  'doc.open': 'always',
  'doc.render': 'always',
  'doc.text.select': [[5]],
  'doc.text.copy': [[5]],
  'doc.text.search': [[5]],
  'doc.content.copy': [[5]],
  'doc.download': 'never',
  'doc.download.flattened': 'never',
  'doc.print': [[3]],
  'doc.print.high': [[3, 12]],
  'doc.pages.modify': [[4]],
  'doc.pages.assemble': [[11]],
  'doc.forms.read': 'always',
  'doc.forms.fill': [[6], [9]],
  'doc.forms.modify': [[6, 4]],
  'doc.forms.submit': 'never',
  'doc.annotate.read': 'always',
  'doc.annotate.modify': [[6]],
  'doc.annotate.import': 'never',
  'doc.metadata.modify': [[4]],
  'doc.attachments.modify': [[4]],
  'doc.redact': [[4]],
  'doc.sign': [[6], [9]],
  'doc.sign.certify': 'never',
  'doc.unredacted': 'never',
}

t.test('the capabilities are exactly those of the contract', async (t) => {
  t.strictSame([...capabilities].sort(), Object.keys(contract).sort())
})

t.test('pdf.permissions allows exactly the capabilities of the bits, for every combination of bits', async (t) => {
  for (let combination = 0; combination < 2 ** 12; combination++) {
    const isOn = (bit: number) => (combination & (1 << (bit - 1))) !== 0
    const expected = capabilities.filter((name) => {
      const rule = contract[name]
      if (rule === 'always' || rule === 'never') return rule === 'always'
      return rule?.some((bits) => bits.every(isOn))
    })
    const allowed = permittedBy(combination)
    if (allowed.join() !== expected.join()) t.strictSame(allowed, expected, `bits ${combination.toString(2)}`)
  }
  t.strictSame(
    permittedBy(null),
    capabilities.filter((name) => contract[name] !== 'never'),
    'a file that is not encrypted allows everything',
  )
  t.strictSame(permittedBy(0xffff_fffc), permittedBy(null), '/P is 32 bits, and the upper ones are on')
})

t.test('capabilities imply exactly the documented others, transitively', async (t) => {
  t.strictSame([...withImplied(['doc.annotate.modify'])], ['doc.annotate.modify', 'doc.annotate.read'])
  t.strictSame([...withImplied(['doc.forms.fill'])], ['doc.forms.fill', 'doc.forms.read'])
  t.strictSame([...withImplied(['doc.forms.modify'])].sort(), ['doc.forms.fill', 'doc.forms.modify', 'doc.forms.read'])
  t.strictSame([...withImplied(['doc.sign'])], ['doc.sign'])
})

t.test(
  'capabilities from pdf.permissions imply others too, and collaboration scopes imply reading annotations',
  async (t) => {
    const followsPdf = known(['pdf.permissions'])
    const onlyAnnotate = 1 << 5
    t.ok(holds(followsPdf, 'doc.forms.fill', onlyAnnotate))
    t.notOk(holds(followsPdf, 'doc.text.copy', onlyAnnotate))
    t.notOk(holds(followsPdf, 'doc.download', null), 'no bit of a file gives its bytes away')
    const collab = known(['annotations:create:self'])
    t.ok(holds(collab, 'doc.annotate.read', null))
    t.notOk(holds(collab, 'doc.annotate.modify', null))
    t.ok(holds(known(['*']), 'doc.sign.certify', 0), '* allows everything, independent of the bits')
    t.notOk(holds(known(['*']), 'doc.unredacted', null), 'but what was redacted, which only its own name gives')
    t.ok(holds(known(['doc.unredacted']), 'doc.unredacted', 0))
  },
)

t.test('one unknown string makes the whole scope invalid, and is reported', async (t) => {
  for (const unknown of [
    'doc.everything',
    'DOC.OPEN',
    '',
    'docs.read',
    'annotations',
    'annotations:create',
    'forms:fill:all',
  ]) {
    t.strictSame(parseDocumentScope(['doc.open', unknown]), { unknown })
  }
})

t.test('collaboration scopes are split at the first two colons; values may contain more', async (t) => {
  t.strictSame(parseCollabScope('annotations:update:createdBy=urn:user:7'), {
    entity: 'annotations',
    action: 'update',
    filter: { createdBy: 'urn:user:7' },
  })
  t.match(parseCollabScope('annotations:*:group=a=b'), { action: '*', filter: { group: 'a=b' } })
  t.match(parseCollabScope('annotations:set-group:all'), { action: 'set-group', filter: 'all' })
  t.match(parseCollabScope('annotations:set-group:group=x'), { filter: { group: 'x' } })
})

t.test('a text outside the grammar of collaboration scopes is not a scope', async (t) => {
  const wrong = [
    'annotations:create:',
    'annotations:create:createdBy=',
    'annotations:create:group=',
    'annotations:create:ALL',
    'annotations:create:all ',
    'annotations:move:all',
    'annotations::all',
    'forms:create:all',
    'Annotations:create:all',
    'annotations:set-group:self',
    'annotations:set-group:createdBy=x',
    'annotations:create:owner=x',
  ]
  for (const text of wrong) t.equal(parseCollabScope(text), undefined, text)
})

t.test('if collaboration scopes mention an action, they alone decide; otherwise the capability does', async (t) => {
  const ada = { userId: 'ada', groupId: 'math', groups: ['math', 'poetry'] }
  const table: readonly (readonly [scope: readonly string[], owner: Owner, decision: boolean | undefined])[] = [
    [[], of('ada'), undefined],
    [['annotations:create:all'], of('ada'), undefined],
    [['annotations:set-group:all'], of('ada'), undefined],
    [['annotations:update:all'], of('bob', 'law'), true],
    [['annotations:*:all'], of('bob'), true],
    [['annotations:update:self'], of('ada'), true],
    [['annotations:update:self'], of('bob'), false],
    [['annotations:update:self'], of(null), false],
    [['annotations:update:createdBy=bob'], of('bob'), true],
    [['annotations:update:createdBy=bob'], of('ada'), false],
    [['annotations:update:group=poetry'], of('bob', 'poetry'), true],
    [['annotations:update:group=math'], of('bob', 'math'), true],
    [['annotations:update:group=law'], of('bob', 'law'), false],
    [['annotations:update:group=math'], of('bob', null), false],
    [['annotations:update:self', 'annotations:update:createdBy=bob'], of('bob'), true],
    [['annotations:*:self', 'annotations:update:group=law'], of('bob'), false],
  ]
  for (const [scope, owner, decision] of table) {
    const title = `${scope.join(' ') || 'none'} on ${owner.userId}/${owner.groupId}`
    t.equal(decide(known(scope).collab, 'update', { caller: ada, owner }), decision, title)
  }
  const nobody = decide(known(['annotations:update:self']).collab, 'update', { caller: {}, owner: of(null) })
  t.equal(nobody, false, 'a caller without identity does not own annotations without owner')
})

t.test(
  'an origin pattern matches its origin; a leading *. matches one or more subdomain labels, not the bare domain',
  async (t) => {
    const table: readonly (readonly [pattern: string, origin: string, matches: boolean])[] = [
      ['https://example.com', 'https://example.com', true],
      ['https://Example.com', 'https://example.com', true],
      ['https://example.com:443', 'https://example.com', true],
      ['http://localhost:5173', 'http://localhost:5173', true],
      ['https://example.com', 'http://example.com', false],
      ['https://example.com', 'https://example.com:8443', false],
      ['https://example.com', 'https://example.com.evil.test', false],
      ['https://example.com', 'https://a.example.com', false],
      ['https://*.example.com', 'https://a.example.com', true],
      ['https://*.example.com', 'https://a.b.example.com', true],
      ['https://*.example.com', 'https://example.com', false],
      ['https://*.example.com', 'https://evilexample.com', false],
      ['https://*.example.com', 'https://a.example.com:8443', false],
      ['https://*.example.com:8443', 'https://a.example.com:8443', true],
      ['https://*.example.com', 'http://a.example.com', false],
      ['https://*.example.com', 'null', false],
      ['https://*.example.com', 'https://a.example.com/path', false],
    ]
    for (const [pattern, origin, matches] of table) {
      t.match(pattern, new RegExp(originPattern))
      t.equal(matchesOrigin([pattern], origin), matches, `${pattern} and ${origin}`)
    }
  },
)

t.test('invalid origin patterns are refused', async (t) => {
  for (const pattern of [
    'example.com',
    'ftp://example.com',
    'https://example.com/',
    'https://a.*.com',
    '*',
    'https://*',
    '',
  ]) {
    t.notMatch(pattern, new RegExp(originPattern), pattern)
  }
})

interface Owner {
  readonly userId: string | null
  readonly groupId: string | null
}

const of = (userId: string | null, groupId: string | null = null): Owner => ({ userId, groupId })

function known(scope: readonly string[]) {
  const parsed = parseDocumentScope(scope)
  if ('unknown' in parsed) throw new Error(`${parsed.unknown} is not a scope`)
  return parsed
}

t.test('auth 4: in revision 2, undefined bits have the value of the bits that govern the same there', async (t) => {
  const bitsOf = (permissionBits: number, securityHandlerRevision: number) =>
    permissionBitsOf({ permissionBits, securityHandlerRevision })
  const all = 2 ** 32 - 1
  const without = (...bits: readonly number[]) => bits.reduce((rest, bit) => rest - 2 ** (bit - 1), all)
  const may = (bits: number | null, capability: Capability) => permittedBy(bits).includes(capability)
  const old = bitsOf(without(4, 6), 2)
  for (const capability of ['doc.forms.fill', 'doc.pages.assemble', 'doc.annotate.modify'] as const) {
    t.notOk(may(old, capability), capability)
    t.equal(may(bitsOf(without(4, 6), 3), capability), capability !== 'doc.annotate.modify', 'from revision 3 on')
  }
  t.ok(may(bitsOf(without(9, 11, 12), 2), 'doc.forms.fill'))
  t.ok(may(bitsOf(without(9, 11, 12), 2), 'doc.pages.assemble'))
  t.ok(may(bitsOf(without(12), 2), 'doc.print.high'))
  t.notOk(may(bitsOf(without(3), 2), 'doc.print.high'))
  t.equal(permissionBitsOf(null), null)
})
