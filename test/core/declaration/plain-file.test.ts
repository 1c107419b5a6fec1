// Files in a simple subset of YAML are read without the YAML parser, with the same nodes as result.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { isMap, isScalar, isSeq, type ParsedNode, parseDocument, stringify } from 'yaml'
import { rangeOf } from '../../../core/declaration/nodes.js'
import { readPlainFile } from '../../../core/declaration/plain-file.js'
import { SourceText } from '../../../core/declaration/source-text.js'

const numRuns = process.env['STEWARD_TEST_LONG'] === '1' ? 50_000 : 2_000

/**
 * Returns everything that later stages read of a node. Ends of maps and lists are included only up to the end of the
 * first line.
 */
function seen(node: ParsedNode | null, source: SourceText): unknown {
  if (node === null) return null
  const { line, column, length } = source.place(rangeOf(node))
  const place = `${line}:${column}+${length}`
  const { tag, anchor } = { tag: node.tag, anchor: 'anchor' in node ? node.anchor : undefined }
  if (isMap(node))
    return { place, tag, anchor, map: node.items.map(({ key, value }) => [seen(key, source), seen(value, source)]) }
  if (isSeq(node)) return { place, tag, anchor, list: node.items.map((item) => seen(item, source)) }
  if (!isScalar(node)) return { place, alias: node.source }
  const { value, type } = node
  return { place, tag, anchor, value, type, source: node.source }
}

/** Undefined where the reader leaves the text to the parser; throws where the two differ. */
function read(text: string): 'same' | 'left' | object {
  const plain = readPlainFile(text)
  if (!plain) return 'left'
  const { contents, errors, warnings } = parseDocument(text, { uniqueKeys: false, prettyErrors: false })
  const source = new SourceText('agents.yaml', text)
  const [ours, theirs] = [seen(plain, source), seen(contents, source)].map((tree) => JSON.stringify(tree))
  return errors.length === 0 && warnings.length === 0 && ours === theirs ? 'same' : { text, errors, ours, theirs }
}

const forms: Readonly<Record<string, string>> = {
  'maps, lists and words': 'a: b\nc:\n  d: [e, "f g", 1, true, null]\n  h:\n  - i\n  - j: k\n    l: m\n  n:\n    - o\n',
  'comments and blank lines': '# a\n\na: b # c\nd: # e\n  # f\n\n  g: h#i # j\n# k\n',
  'texts of several lines':
    'a: |\n  b\n\n    c # d\n  e: f\n\n\ng: |-\n  h\n\n# i\nj:\n  - |\n    k\n  - l: |\n      m\n    n: o',
  quotes: `a: "b # c"\n"d": 'e: f'\n'g h': "" # i\n`,
  'numbers and what only looks like one': 'a: 12\nb: 2024-01-01\nc: 0 9 * * *\nd: ./e\nf: 012\n1: 2\n',
  'variables and addresses': 'a: ${B}\nc: https://d.example:80/e?f=g\nh: ${I:-j} k\n',
  'one list item a line, at the indentation of its key': 'a:\n- b\n-   c: d\n    e: f\ng: h\n',
}

t.test('common forms are read, and as the parser reads them', async (t) => {
  for (const [form, text] of Object.entries(forms)) t.equal(read(text), 'same', form)
})

const left: readonly string[] = [
  '',
  '# only a comment\n',
  'a\n',
  '- a\n',
  ' a: b\n',
  'a:\n',
  'a:\nb: c\n',
  'a: b\n c: d\n',
  'a: b\n  c\n',
  'a:\n  b: c\n d: e\n',
  'a: b: c\n',
  'a: "b" c\n',
  'a: "b\n  c"\n',
  'a: "b\\n"\n',
  "a: 'b''c'\n",
  'a: [b, c: d]\n',
  'a: [b,]\n',
  'a: [b\n  ]\n',
  'a: {b: c}\n',
  'a: &b c\nd: *b\n',
  'a: !!str 1\n',
  '<<: a\n',
  '? a\n',
  'a: |+\n  b\n',
  'a: |2\n   b\n',
  'a: |\n\n  b\n',
  'a: |\n  b\n c\n',
  'a: |\nb: c\n',
  'a: >\n  b\n',
  'a: 1.10\n',
  'a: 0x1f\n',
  'a: .inf\n',
  'a: 12345678901234567890\n',
  'a:\tb\n',
  'a: b\r\n',
  '---\na: b\n',
  'a: b\n...\n',
  '\ufeffa: b\n',
  'a:\n  - - b\n',
  'a:\n  -\n    b\n',
  `${Array.from({ length: 80 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')} b\n`,
]

t.test('errors and rarer forms are left to the parser', async (t) => {
  for (const text of left) t.equal(read(text), 'left', JSON.stringify(text))
})

t.test('the files of the examples are read as the parser reads them', async (t) => {
  const folder = join(import.meta.dirname, '../../../examples')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.ya?ml$/.test(file))
  t.ok(files.length > 0)
  for (const file of files) t.type(read(readFileSync(join(folder, file), 'utf8')), 'string', file)
})

/** Pieces of lines that mean something, so that many texts are nearly plain. */
const piece = fc.constantFrom(
  ...[
    'a',
    'b-c',
    '1',
    '1.5',
    '1.',
    '.5',
    '1e3',
    '.5E-1',
    '1.2.3',
    '2-1',
    '0x1',
    '0o7',
    '.inf',
    '.NaN',
    '-1',
    '~',
    'null',
    'True',
    '.',
    '..',
    './x',
    '$',
    '${A}',
    'é',
    '\u2028',
    '😀',
  ],
  ...[': ', ':', ' ', '  ', '- ', '-', '# ', '#', ' # ', ', ', ',', '[', ']', '{', '}', '"', "'", '\\', '\t', '\r'],
  ...['|', '|-', '>', '&a ', '*a', '!', '%', '@', '? ', '<<: ', '---', '...'],
)
const line = fc.oneof(
  fc.tuple(fc.constantFrom('a', 'b', '"c d"', "'e'"), fc.constantFrom(': ', ':', ':  ')).map((parts) => parts.join('')),
  fc
    .tuple(
      fc.constantFrom('a: ', '- ', '- a: ', ''),
      fc.array(piece, { maxLength: 4 }).map((parts) => parts.join('')),
    )
    .map((parts) => parts.join('')),
  fc.constantFrom('', '# x', 'a: |', '- |', 'a: |-', 'a: [b, "c", 1]', 'a: "b"', 'some text', 'b: c # d'),
)
const plainLine = fc.constantFrom('a:', 'a: b', 'a: |', '- c', '- a: b', 'd: [e, "f", 1]', '# g', '', 'a: "b" # c')
const depth = fc.constantFrom(...[0, 0, 0, 2, 2, 2, 4, 4, 1, 3, 6])
const indented = fc
  .tuple(depth, fc.oneof({ weight: 4, arbitrary: plainLine }, { weight: 1, arbitrary: line }))
  .map(([by, text]) => ' '.repeat(by) + text)
const someText = fc.array(indented, { minLength: 1, maxLength: 8 }).map((lines) => lines.join('\n'))

t.test('property: what is read of any text is what the parser reads of it', async (t) => {
  let same = 0
  fc.assert(
    fc.property(someText, fc.constantFrom('', '\n'), (text, end) => {
      const verdict = read(text + end)
      if (verdict === 'same') same++
      return typeof verdict === 'string'
    }),
    { numRuns },
  )
  t.ok(same > 0, `${same} of ${numRuns} texts were plain`)
})

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.constantFrom('a\nb\n', 'a\n\n b', 'c: d', '# e', '- f', 'true', '12', '1e3', '', ' g ', 'h\n'),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.stringMatching(/^[a-z][a-z_-]{0,5}$/), tie('any'), { maxKeys: 4 }),
  ),
})).any

t.test('property: written values are read as the parser reads them', async (t) => {
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), value, { minKeys: 1, maxKeys: 4 }), (written) => {
      return typeof read(stringify(written)) === 'string'
    }),
    { numRuns },
  )
  t.pass()
})
