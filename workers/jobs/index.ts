// Every job a worker thread can do. The pool takes names, inputs and answers from the type of this list, and never the
// list itself: it stands for the PDF engine, which only threads load.
import { digest } from './digest.js'
import { extract } from './extract.js'
import { ingest } from './ingest.js'
import { render } from './render.js'
import { revisions } from './revisions.js'
import { text } from './text.js'
import { thumbnail } from './thumbnail.js'

export const jobs = {
  digest,
  extract,
  ingest,
  render,
  revisions,
  text,
  thumbnail,
} as const

export type Jobs = typeof jobs
export type JobName = keyof Jobs
