// The references between the objects of a file are those that qpdf reads, and are the same after they were stored.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openStrict } from '../../../workers/strict-reader/open-strict.js'
import type { ReferenceGraph } from '../../../workers/strict-reader/references/reference-graph.js'
import { loadReferences, writeReferences } from '../../../workers/strict-reader/references/stored-references.js'
import { encryptedPdf, schemes } from '../../support/pdf/encrypted-pdf.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { helvetica, onePage, rawPdf } from '../../support/pdf/raw-pdf.js'
import { withRevision } from '../../support/pdf/signed-pdf.js'
import { qpdfObjects } from '../../support/pdf/strict-judge.js'

const plain = onePage('BT /F1 12 Tf 20 100 Td (12 0 R) Tj ET', {
  resources: helvetica,
  page: '/Annots[5 0 R 6 0 R]',
  further: {
    5: '<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Contents(3 0 R \\( \\051 4 0 R)/Popup 6 0 R/NM<3420302052>/X[[2 0 R]4 0 R]>>',
    6: '<</Type/Annot/Subtype/Popup/Rect[0 0 9 9]/Parent 5 0 R % 1 0 R\n/P 3 0 R>>',
    7: { body: '<</Of 3 0 R>>', stream: 'endstream 1 0 R' },
  },
})

function pathOf(t: Test, bytes: Uint8Array, name = 'file.pdf'): string {
  const path = join(t.testdir({}), name)
  writeFileSync(path, bytes)
  return path
}

function graphOf(path: string, password = ''): ReferenceGraph {
  const document = openStrict(path, { password: Buffer.from(password) })
  try {
    const [first] = document.revisions
    if (first === undefined) throw new Error('There is no revision')
    return first.references()
  } finally {
    document.close()
  }
}

/** `from -> to` for every reference of the graph to one of these objects. */
function edgesOf(graph: ReferenceGraph, targets: Iterable<number>): readonly string[] {
  const found = new Set<string>()
  for (const target of targets) graph.eachReferrer(target, (from) => found.add(`${from} -> ${target}`))
  return [...found].sort()
}

/** The same by qpdf, which gives references as strings `N G R`. */
function qpdfEdges(path: string, password?: string): { readonly numbers: readonly number[]; readonly edges: string[] } {
  const objects = Object.entries(qpdfObjects(path, password)?.objects ?? {}).flatMap(([key, value]) => {
    const number = /^obj:(\d+) /.exec(key)?.[1]
    return number === undefined ? [] : [{ number, value }]
  })
  const edges = objects.flatMap(({ number, value }) =>
    [...JSON.stringify(value).matchAll(/"(\d+) \d+ R"/g)].map(([, target]) => `${number} -> ${target}`),
  )
  return { numbers: objects.map(({ number }) => Number(number)), edges: [...new Set(edges)].sort() }
}

function isAsByQpdf(t: Test, path: string, password?: string): void {
  const { numbers, edges } = qpdfEdges(path, password)
  t.ok(edges.length >= 8, `${edges.length} references`)
  t.same(edgesOf(graphOf(path, password), numbers), edges)
}

t.test(
  'references are found in every form of a file, and not in its strings, comments and data',
  needs('qpdf'),
  (t) => {
    const path = pathOf(t, plain)
    isAsByQpdf(t, path)
    const forms = [
      ['--object-streams=generate'],
      ['--object-streams=generate', '--compress-streams=n'],
      ['--linearize', '--object-streams=generate'],
      ['--linearize'],
    ]
    for (const options of forms) {
      const made = `${path}.made.pdf`
      judged('qpdf', [...options, path, made])
      isAsByQpdf(t, made)
    }
    for (const scheme of schemes) {
      isAsByQpdf(t, pathOf(t, encryptedPdf(plain, scheme), 'encrypted.pdf'), scheme.user)
    }
    t.end()
  },
)

t.test('an object keeps the references of its former revisions', (t) => {
  const path = pathOf(t, withRevision(withRevision(plain, { 6: '<</P 1 0 R>>' }), { 6: '<</P 2 0 R>>' }))
  const graph = graphOf(path)
  t.same(
    edgesOf(graph, [1, 2, 3, 5]).filter((edge) => edge.startsWith('6 ')),
    ['6 -> 1', '6 -> 2', '6 -> 3', '6 -> 5'],
  )
  t.end()
})

t.test('an object that cannot be read with certainty may refer to anything', (t) => {
  const graph = graphOf(pathOf(t, rawPdf({ 1: '<</Type/Catalog/Pages 2 0 R>>', 2: '<</Kids[3 0 R)]>>', 3: 'null' })))
  t.same([...graph.unreadable], [2])
  t.end()
})

t.test('stored references are those that were read', needs('qpdf'), (t) => {
  const path = pathOf(t, plain)
  const made = `${path}.made.pdf`
  judged('qpdf', ['--object-streams=generate', path, made])
  for (const [index, file] of [path, made].entries()) {
    const graph = graphOf(file)
    const stored = join(t.testdirName, `references-${index}`)
    writeReferences(stored, graph, 2 ** 33 + 5)
    const loaded = loadReferences(stored, 2 ** 33 + 5)
    t.same(loaded?.listed, graph.listed)
    t.ok(graph.listed.some(({ length }) => length > 8))
  }
  t.end()
})

t.test('stored references that are damaged, or of another file, are not used', (t) => {
  const path = pathOf(t, plain)
  const stored = join(t.testdirName, 'references')
  writeReferences(stored, graphOf(path), plain.length)
  t.equal(loadReferences(stored, plain.length + 1), undefined)
  t.equal(loadReferences(stored, plain.length + 2 ** 32), undefined)
  const bytes = readFileSync(stored)
  for (const at of [0, 31, 32, 40, 60, 80, bytes.length - 1]) {
    const damaged = Buffer.from(bytes)
    damaged[at] = (damaged[at] ?? 0) ^ 1
    writeFileSync(stored, damaged)
    t.equal(loadReferences(stored, plain.length), undefined, `byte ${at}`)
  }
  for (const length of [0, 20, 60, bytes.length - 1]) {
    writeFileSync(stored, bytes.subarray(0, length))
    t.equal(loadReferences(stored, plain.length), undefined, `${length} bytes`)
  }
  t.throws(() => writeReferences(stored, graphOf(path), plain.length), { code: 'EEXIST' })
  t.end()
})
