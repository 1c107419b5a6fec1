// List of all jobs of a worker thread. The pool imports only its type for names, inputs and answers, because the list
// itself loads the PDF engine.
import { actions } from './actions.js'
import { analysis } from './analysis.js'
import { annotations } from './annotations.js'
import { appearance } from './appearance.js'
import { appearancePictures } from './appearance-pictures.js'
import { appearanceTrial } from './appearance-trial.js'
import { appearances } from './appearances.js'
import { attachment } from './attachment.js'
import { attachments } from './attachments.js'
import { bookmarks } from './bookmarks.js'
import { change } from './change.js'
import { completeSignature } from './complete-signature.js'
import { customMetadata } from './custom-metadata.js'
import { delta } from './delta.js'
import { digest } from './digest.js'
import { exportAnnotations } from './export-annotations.js'
import { extract } from './extract.js'
import { form } from './form.js'
import { formValues } from './form-values.js'
import { geometry } from './geometry.js'
import { ingest } from './ingest.js'
import { layout } from './layout.js'
import { marks } from './marks.js'
import { merge } from './merge.js'
import { metadata } from './metadata.js'
import { pages } from './pages.js'
import { prepareSignature } from './prepare-signature.js'
import { protection } from './protection.js'
import { references } from './references.js'
import { render } from './render.js'
import { repair } from './repair.js'
import { revisions } from './revisions.js'
import { rewrite } from './rewrite.js'
import { search } from './search.js'
import { signatureContents } from './signature-contents.js'
import { signatureDigest } from './signature-digest.js'
import { signatures } from './signatures.js'
import { text } from './text.js'
import { thumbnail } from './thumbnail.js'
import { unlock } from './unlock.js'
import { viewports } from './viewports.js'

export const jobs = {
  actions,
  analysis,
  annotations,
  appearance,
  appearancePictures,
  appearanceTrial,
  appearances,
  attachment,
  attachments,
  bookmarks,
  change,
  completeSignature,
  customMetadata,
  delta,
  digest,
  exportAnnotations,
  extract,
  form,
  formValues,
  geometry,
  ingest,
  layout,
  marks,
  merge,
  metadata,
  pages,
  prepareSignature,
  protection,
  references,
  render,
  repair,
  revisions,
  rewrite,
  search,
  signatureContents,
  signatureDigest,
  signatures,
  text,
  thumbnail,
  unlock,
  viewports,
} as const

export type Jobs = typeof jobs
export type JobName = keyof Jobs
