// Edits of real files: for qpdf the download is as sound as the upload, and page content looks as before. A seeded sample;
// with STEWARD_TEST_LONG=1 every corpus file that can be edited.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import type { FormField } from '../../../workers/contract/form-field.js'
import { pageRef } from '../../../workers/contract/page-ref.js'
import { ingest } from '../../../workers/jobs/ingest.js'
import { render } from '../../../workers/jobs/render.js'
import { layerOf, type Op } from '../../support/pdf/changing.js'
import { type CorpusFile, needsCorpus } from '../../support/pdf/corpus.js'
import { measuredCorpus } from '../../support/pdf/corpus-index.js'
import { needs } from '../../support/pdf/judges.js'
import { difference, pixelsOf } from '../../support/pdf/pictures.js'
import { runner } from '../../support/pdf/running.js'
import { Workshop } from '../../support/pdf/workshop.js'
import { isLong, longTimeoutMs, seed } from '../../support/sample.js'

if (isLong) t.setTimeout(longTimeoutMs)
t.comment(`STEWARD_TEST_SEED=${seed}`)
const sampleSize = 8
/** Maximum size of a file in the sample; larger ones are left to the long run. */
const sampleBytesMax = 500_000
/** Maximum difference: edges are anti-aliased differently on rotated pages and below transparent content. */
const differenceMax = 0.5
/** Maximum number of fields that are filled in one file. */
const fieldsMax = 20

const judge = needs('qpdf')
const { skip } = needsCorpus.skip === false ? judge : needsCorpus

t.test('downloads of edited corpus files are as sound as the uploads', { skip }, async (t) => {
  const files = measuredCorpus().flatMap(({ file }) => (file.isHostile ? [] : [file]))
  let edited = 0
  for (const file of isLong ? files : sampled(files)) {
    await t.test(file.name, async (t) => {
      if (await editAll(t, file)) edited++
    })
  }
  t.ok(edited > sampleSize / 2, `${edited} files could be edited`)
})

function sampled(files: readonly CorpusFile[]): readonly CorpusFile[] {
  const small = files.filter(({ source }) => source.sizeBytes <= sampleBytesMax)
  return Array.from({ length: sampleSize }, (_, turn) => small[(seed + turn * 7919) % small.length]).flatMap(
    (file) => file ?? [],
  )
}

/** Returns false if the file cannot be read, and hence not be edited. */
async function editAll(t: Test, { source }: CorpusFile): Promise<boolean> {
  const run = runner(t)
  const facts = await run(ingest, { source, workingPath: Workshop.of(t).path('working.pdf') })
  if (facts.state === 'failed' || facts.pages === null) return false
  const [first] = facts.pages
  const last = facts.pages.at(-1)
  if (first === undefined || last === undefined) return false
  const { password } = source
  const layer = layerOf(t, readFileSync(facts.working?.path ?? source.path), {
    ...(password && { password: Buffer.from(password).toString('utf8') }),
  })
  const { annotations } = layer.reads(t).annotations()
  const { fields } = layer.reads(t).form()
  const before = await picture(layer.basePath)
  const soundness = soundnessOf(layer.basePath, password)
  for (const data of drafts) await layer.apply({ type: 'annotations.create', page: pageRef(first.objectNumber), data })
  for (const field of fields.slice(0, fieldsMax)) {
    const op = fillingOf(field)
    if (op) await layer.apply(op)
  }
  await layer.apply({ type: 'pages.rotate', pages: [pageRef(last.objectNumber)], rotation: 90 })
  await layer.apply({ type: 'metadata.update', patch: { title: 'Édition 版' } })
  layer.cold()
  const after = layer.reads(t)
  t.equal(after.annotations().annotations.length, annotations.length + drafts.length)
  t.equal(after.form().fields.length, fields.length)
  t.equal(after.metadata().title, 'Édition 版')
  const sent = layer.sent()
  t.ok(soundnessOf(sent, password) <= soundness, 'the download is as sound as the upload')
  t.ok(difference(before, await picture(sent)) < differenceMax, 'the page content looks as before')
  return true

  async function picture(path: string) {
    const { bytes } = await run(render, {
      source: { ...source, key: path, path },
      page: first?.objectNumber ?? 0,
      family: 'pages',
      view: { viewport: { kind: 'width', width: 120 }, target: undefined, rotation: 0 },
      encoding: { format: 'png' },
      background: 'white',
    })
    return await pixelsOf(bytes)
  }
}

const quad = {
  upperLeft: { x: 20, y: 20 },
  upperRight: { x: 90, y: 20 },
  lowerLeft: { x: 20, y: 32 },
  lowerRight: { x: 90, y: 32 },
}
const drafts = [
  { subtype: 'highlight', quadPoints: [quad], contents: 'à revoir' },
  { subtype: 'free-text', rect: { x: 20, y: 50, width: 90, height: 30 }, contents: 'Ω 漢字' },
  { subtype: 'text', rect: { x: 4, y: 4, width: 20, height: 20 } },
]

function fillingOf(field: FormField): Op | undefined {
  const set = (value: object): Op => ({ type: 'forms.setValue', field: field.ref, value })
  if (field.family === 'text' && field.actions === undefined) return set({ value: 'Aé'.slice(0, field.maxLength ?? 2) })
  if (field.family === 'checkbox') return set({ checked: !field.checked })
  if (field.family !== 'combobox' && field.family !== 'listbox') return undefined
  const value = field.options.at(-1)?.value
  if (value === undefined) return undefined
  return set(field.family === 'combobox' ? { value } : { selectedValues: [value] })
}

/** 0 = sound, 1 = with warnings, 2 = damaged. */
function soundnessOf(path: string, password: Uint8Array | undefined): number {
  const secret = password ? [`--password=${Buffer.from(password).toString('utf8')}`] : []
  const { status } = spawnSync('qpdf', [...secret, '--check', path])
  return { 0: 0, 3: 1 }[status ?? 2] ?? 2
}
