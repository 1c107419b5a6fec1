import t, { type Test } from 'tap'
import { type Annotation, subtypeContracts } from '../../../workers/contract/annotations/annotation.js'
import type { FormField } from '../../../workers/contract/form-field.js'
import { needsCorpus } from '../../support/pdf/corpus.js'
import { type CorpusRecord, measuredCorpus } from '../../support/pdf/corpus-index.js'
import { type Reads, readsOfFile } from '../../support/pdf/reads.js'

/** Names of subtypes in the file -> ours; the others are `unsupported`. */
const subtypes: Readonly<Record<string, Annotation['subtype']>> = Object.fromEntries(
  subtypeContracts.map(({ name, subtype }) => [name, subtype]),
)

const families: Readonly<Record<string, FormField['family']>> = {
  Tx: 'text',
  Sig: 'signature',
  combo: 'combobox',
  list: 'listbox',
  checkbox: 'checkbox',
  radio: 'radio',
  push: 'pushbutton',
}

t.test('reads of every corpus file agree with the counts of the corpus index', needsCorpus, async (t) => {
  for (const { record, file } of measuredCorpus()) {
    await t.test(record.file, async (t) => readEverything(t, record, readsOfFile(t, file.source)))
  }
})

function readEverything(t: Test, { pages, features, expect }: CorpusRecord, reads: Reads): void {
  const { pageCount, pages: layouts } = reads.layout()
  t.equal(layouts.length, pageCount)
  // The page count of a cyclic page tree is undefined.
  if (typeof pages === 'number' && !features.includes('cyclic-page-tree')) t.equal(pageCount, pages, 'pages')
  reads.metadata()
  reads.customMetadata()
  for (const { ref } of layouts.slice(0, 20)) reads.viewports(ref.objectNumber)
  checkAnnotations(t, expect, reads.annotations().annotations)
  checkForm(t, expect, reads)
}

function checkAnnotations(t: Test, expect: CorpusRecord['expect'], annotations: readonly Annotation[]): void {
  if (expect.annotations != null) t.equal(annotations.length, expect.annotations, 'annotations')
  const inline = annotations.filter(({ ref }) => ref.kind === 'baseIndex').length
  if (expect.annotationsInline != null) t.equal(inline, expect.annotationsInline, 'inline annotations')
  if (expect.annotationTypes === undefined) return
  t.same(counts(annotations.map(({ subtype }) => subtype)), renamed(expect.annotationTypes, subtypes, 'unsupported'))
}

function checkForm(t: Test, expect: CorpusRecord['expect'], reads: Reads): void {
  const { formKind, fields } = reads.form()
  const listed = fields.filter(({ origin }) => origin === 'acroform')
  if (expect.formKind != null) t.equal(formKind, expect.formKind === 'xfa+acroform' ? 'xfa' : expect.formKind)
  if (expect.fields != null) t.equal(listed.length, expect.fields, 'fields')
  if (expect.fieldKinds === undefined) return
  t.same(counts(listed.map(({ family }) => family)), renamed(expect.fieldKinds, families, 'unknown'))
}

function counts(names: readonly string[]): Readonly<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const name of names) found[name] = (found[name] ?? 0) + 1
  return found
}

function renamed(
  expected: Readonly<Record<string, number>>,
  names: Readonly<Record<string, string>>,
  otherwise: string,
): Readonly<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const [name, count] of Object.entries(expected)) {
    const ours = names[name] ?? otherwise
    found[ours] = (found[ours] ?? 0) + count
  }
  return found
}
