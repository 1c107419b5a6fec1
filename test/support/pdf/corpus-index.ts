// Measurements of each file in the index of the corpus.
import { existsSync, readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { Parse } from 'typebox/value'
import { corpus, corpusFolder } from './corpus.js'

const Count = Type.Optional(Type.Union([Type.Integer(), Type.Null()]))
const Counts = Type.Optional(Type.Record(Type.String(), Type.Integer()))

const CorpusRecord = Type.Object({
  file: Type.String(),
  pages: Count,
  features: Type.Array(Type.String()),
  expect: Type.Object({
    opens: Type.Union([Type.Boolean(), Type.Literal('password')]),
    formKind: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    fields: Count,
    fieldKinds: Counts,
    annotations: Count,
    annotationsInline: Count,
    annotationTypes: Counts,
  }),
})
export type CorpusRecord = Static<typeof CorpusRecord>

/** Returns records with their file; without files that cannot be opened. */
export function measuredCorpus() {
  const files = new Map(corpus().map((file) => [file.name, file]))
  const path = `${corpusFolder}/index.json`
  const records = existsSync(path) ? Parse(Type.Array(CorpusRecord), JSON.parse(readFileSync(path, 'utf8'))) : []
  return records.flatMap((record) => {
    const file = files.get(record.file)
    return file === undefined || record.expect.opens === false ? [] : [{ record, file }]
  })
}
