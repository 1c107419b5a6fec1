// Writes the values of a form as JSON, FDF or XFDF (`doc.forms.values`).

import type { FormValuesFormat } from '../contract/form-values.js'
import { Reading } from '../document/reading.js'
import { writeFdf } from '../exchange/fdf/write-fdf.js'
import { formValues as valuesOf } from '../exchange/values/field-values.js'
import { writeXfdf } from '../exchange/xfdf/write-xfdf.js'
import type { Job, OnDocument } from './job.js'

export interface FormValuesInput extends OnDocument {
  readonly format: FormValuesFormat
}

const writers: Readonly<Record<FormValuesFormat, (reading: Reading) => Uint8Array>> = {
  json: (reading) => Buffer.from(JSON.stringify(valuesOf(reading)), 'utf8'),
  fdf: writeFdf,
  xfdf: (reading) => writeXfdf(reading, { annotations: undefined, values: true }),
}

export const formValues: Job<FormValuesInput, { readonly bytes: Uint8Array }> = {
  kind: 'read',
  deadline: { constantMs: 15_000, perMegabyteMs: 50 },
  run: ({ source, format }, { open, limits }) => ({
    bytes: writers[format](new Reading(open(source), limits.itemsMax)),
  }),
}
