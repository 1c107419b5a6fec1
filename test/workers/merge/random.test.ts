// Random edits of two layers merge: no object is left without a place, and content that one side did not change is as on the
// other.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { JobRefusal } from '../../../workers/contract/job-refusal.js'
import type { ChangingLayer } from '../../support/pdf/changing.js'
import { formPdf } from '../../support/pdf/form-pdf.js'
import { judged, needs, python } from '../../support/pdf/judges.js'
import { layersOf, type Merged, mergedOver } from '../../support/pdf/merging.js'
import { type Edit, edit, opOf } from '../../support/pdf/random-edits.js'
import { type Reads, readsOf } from '../../support/pdf/reads.js'
import { everyAnnotation, everyField } from '../../support/pdf/rich-pdf.js'
import { isLong, longTimeoutMs, seed } from '../../support/sample.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
t.setTimeout(isLong ? longTimeoutMs : 300_000)

async function apply(t: Test, layer: ChangingLayer, edits: readonly Edit[], side: string): Promise<void> {
  for (const [index, edit] of edits.entries()) {
    const reads = layer.reads(t)
    const pages = reads.layout().pages.map(({ ref }) => ref)
    const { annotations } = reads.annotations()
    const op = opOf(edit, { pages, annotations, fields: reads.form().fields }, `${side}${index}`)
    try {
      if (op !== undefined) await layer.apply(op)
    } catch (error) {
      if (!(error instanceof JobRefusal)) throw error
    }
  }
}

/** Returns listed items by name, without the members that depend on other objects. */
function listed(reads: Reads): ReadonlyMap<string, string> {
  const entries = [
    ...reads.annotations().annotations.map((one) => {
      const own = { ...one, reply: null, popup: null, modifiedAt: null, parent: null, field: null, checked: null }
      return [
        `annotation ${JSON.stringify(one.ref)}`,
        one.subtype === 'widget' ? 'widget' : JSON.stringify(own),
      ] as const
    }),
    ...reads
      .form()
      .fields.map((one) => [`field ${one.name}`, JSON.stringify('value' in one ? one.value : null)] as const),
    ...Object.entries(reads.metadata()).map(([key, value]) => [`metadata ${key}`, JSON.stringify(value)] as const),
    ...Object.entries(reads.customMetadata()).map(([key, value]) => [`custom ${key}`, JSON.stringify(value)] as const),
  ]
  return new Map(entries)
}

function verify(
  t: Test,
  base: Buffer,
  { theirs, ours, merged }: Record<'theirs' | 'ours', ChangingLayer> & { merged: Merged },
) {
  const sides = [readsOf(t, base), theirs.reads(t), ours.reads(t), merged.reads].map(listed)
  const [before, one, other, result] = sides
  if (!before || !one || !other || !result) throw new Error('unreachable')
  const hasRemovals = merged.conflicts.some(({ reason }) => reason === 'removed')
  for (const name of new Set(sides.flatMap((side) => [...side.keys()]))) {
    const [b, their, our, now] = sides.map((side) => side.get(name))
    // Calculated fields follow from the fields of both sides, and something removed takes along what hangs on it.
    if (name.startsWith('field') && (hasRemovals || /taxed|price|total/.test(name))) continue
    // A field that lost its only widget on one side and itself on the other is a field without one.
    if (name.startsWith('field') && b !== undefined && (their === undefined || our === undefined)) continue
    if (name.startsWith('annotation') && hasRemovals && now === undefined) continue
    if (their === our) t.equal(now, their, `${name} is as on both sides`)
    else if (our === b) t.equal(now, their, `${name} is as in the version`)
    else if (their === b) t.equal(now, our, `${name} is as in the layer`)
  }
  judged('qpdf', ['--check', merged.sent])
}

const files = { everyAnnotation, everyField, formPdf: () => formPdf() }

t.test('any edits of two layers merge', needs('qpdf', 'pikepdf'), async (t) => {
  const property = fc.asyncProperty(
    fc.constantFrom(...(Object.keys(files) as (keyof typeof files)[])),
    fc.array(edit, { minLength: 1, maxLength: 6 }),
    fc.array(edit, { minLength: 1, maxLength: 6 }),
    async (name, byTheirs, byOurs) => {
      let isGood = false
      await t.test(`${name} ${byTheirs.length} ${byOurs.length}`, async (t) => {
        const base = files[name]()
        const layers = layersOf(t, base)
        await apply(t, layers.theirs, byTheirs, 'theirs')
        await apply(t, layers.ours, byOurs, 'ours')
        const merged = await mergedOver(t, layers)
        verify(t, base, { ...layers, merged })
        const { stdout } = spawnSync(python, [join(import.meta.dirname, 'well-formed.py'), merged.sent])
        t.equal(stdout.toString(), '', 'nothing is out of place')
        isGood = t.passing()
      })
      if (!isGood) throw new Error(JSON.stringify([name, byTheirs, byOurs]))
    },
  )
  await fc.assert(property, { seed, numRuns: isLong ? 500 : 12, endOnFailure: true })
})
