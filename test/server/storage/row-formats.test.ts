// Rows of two versions: this release, and a next one that is built with changes of the shape of two kinds of rows.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { RowNewer, type valueIn, versionOf } from '../../../server/storage/row-formats.js'
import { rowKinds } from '../../../server/storage/row-kinds.js'
import { buildNextRelease } from '../../support/next-release.js'

const dist = await buildNextRelease(t, {
  'row-kinds': 'server/storage/row-kinds.ts',
  'row-formats': 'server/storage/row-formats.ts',
})
const load = async (name: string) => import(pathToFileURL(join(dist, `${name}.js`)).href)
const next: { readonly rowKinds: typeof rowKinds } = await load('row-kinds')
const formats: { readonly valueIn: typeof valueIn; readonly newestFormat: number } = await load('row-formats')

const parts = ['doc-1'] as const
const pointer = { tenant: 't', document: 'd' }
const old = rowKinds.documentIds.entry(parts, pointer)
const newer = next.rowKinds.documentIds.entry(parts, Object.assign({ kept: true }, pointer))

await t.test('a next release reads rows of both versions in its own shape', async (t) => {
  t.equal(formats.newestFormat, 2)
  t.same(next.rowKinds.documentIds.decode(old), { ...pointer, kept: true })
  t.same(next.rowKinds.documentIds.decode(newer), { ...pointer, kept: true })
  t.equal(versionOf(old.value), 1)
  t.equal(versionOf(newer.value), 2)
})

await t.test('a next release writes the previous version with the bytes of the release before', async (t) => {
  t.same(formats.valueIn(1, newer.key, newer.value), old.value)
  t.equal(formats.valueIn(2, newer.key, newer.value), newer.value)
})

await t.test('rows of an unchanged kind have the same bytes in both', async (t) => {
  const [before, after] = [rowKinds, next.rowKinds].map((kinds) =>
    kinds.versionShas.entry(['t', 'd', 'sha'], { number: 3 }),
  )
  t.same(before, after)
  if (after) t.equal(formats.valueIn(1, after.key, after.value), after.value)
})

await t.test('a row of a later version is refused as newer, and a damaged one as damaged', async (t) => {
  t.throws(() => rowKinds.documentIds.decode(newer), RowNewer)
  for (let at = 0; at < newer.value.length; at++) {
    const value = Uint8Array.from(newer.value)
    value[at] = (value[at] ?? 0) ^ 1
    t.throws(() => rowKinds.documentIds.decode({ ...newer, value }), { name: 'RowCorrupt', fault: 'checksum' })
  }
  t.throws(() => next.rowKinds.documentIds.decode({ ...newer, value: newer.value.subarray(0, 4) }), {
    name: 'RowCorrupt',
  })
})
