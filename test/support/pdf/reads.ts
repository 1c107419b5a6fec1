// Runs read jobs like a worker, in this thread, and validates every result strictly against its schema.
import type { Test } from 'tap'
import type { AnnotationRef } from '../../../workers/contract/annotation-ref.js'
import { AnnotationList } from '../../../workers/contract/annotations/annotation-list.js'
import { CustomMetadata } from '../../../workers/contract/custom-metadata.js'
import { DocumentMetadata } from '../../../workers/contract/document-metadata.js'
import { FormSnapshot } from '../../../workers/contract/form-snapshot.js'
import { PageList } from '../../../workers/contract/page-list.js'
import { PageViewports } from '../../../workers/contract/viewport.js'
import type { OpenDocument } from '../../../workers/document/open-document.js'
import { openFile } from '../../../workers/document/open-file.js'
import { annotations } from '../../../workers/jobs/annotations.js'
import { appearances } from '../../../workers/jobs/appearances.js'
import { customMetadata } from '../../../workers/jobs/custom-metadata.js'
import { form } from '../../../workers/jobs/form.js'
import type { Job, OnDocument } from '../../../workers/jobs/job.js'
import { layout } from '../../../workers/jobs/layout.js'
import { metadata } from '../../../workers/jobs/metadata.js'
import { viewports } from '../../../workers/jobs/viewports.js'
import { limits } from '../../../workers/limits.js'
import type { PdfSource } from '../../../workers/messages/task.js'
import { runner } from './running.js'
import { strictly, type Validator } from './strictly.js'
import { Workshop } from './workshop.js'

export interface Reads {
  readonly source: PdfSource
  layout(): PageList
  metadata(): DocumentMetadata
  customMetadata(): CustomMetadata
  viewports(page: number): PageViewports
  annotations(page?: number): AnnotationList
  form(): FormSnapshot
  appearances(page: number, refs: readonly AnnotationRef[]): Promise<Uint8Array>
}

const validators = {
  layout: strictly(PageList),
  metadata: strictly(DocumentMetadata),
  customMetadata: strictly(CustomMetadata),
  viewports: strictly(PageViewports),
  annotations: strictly(AnnotationList),
  form: strictly(FormSnapshot),
}

export const readsOf = (t: Test, bytes: Uint8Array): Reads => readsOfFile(t, Workshop.of(t).source(bytes))

export function readsOfFile(t: Test, source: PdfSource, itemsMax: number = limits.itemsMax): Reads {
  const document = openFile(source)
  t.teardown(() => document.destroy())
  return {
    source,
    layout: () => exact(validators.layout, run(layout, { source }, document, itemsMax)),
    metadata: () => exact(validators.metadata, run(metadata, { source }, document, itemsMax)),
    customMetadata: () => exact(validators.customMetadata, run(customMetadata, { source }, document, itemsMax)),
    viewports: (page) => exact(validators.viewports, run(viewports, { source, page }, document, itemsMax)),
    annotations: (page) => {
      const input = page === undefined ? { source } : { source, page }
      return exact(validators.annotations, run(annotations, input, document, itemsMax))
    },
    form: () => exact(validators.form, run(form, { source }, document, itemsMax)),
    appearances: async (page, refs) => {
      const answer = await runner(t, { itemsMax })(appearances, { source, page, annotations: refs })
      return answer.bytes
    },
  }
}

function unexpected(): never {
  throw new Error('A read job must not take a document')
}

/** Read jobs return synchronously. */
function run<Input extends OnDocument, Answer>(
  job: Job<Input, Answer>,
  input: Input,
  document: OpenDocument,
  itemsMax: number,
): Answer {
  const answer = job.run(input, {
    open: () => document,
    take: unexpected,
    keep: unexpected,
    limits: { ...limits, itemsMax },
  })
  if (answer instanceof Promise) throw new Error('A read job must not wait')
  return answer
}

/** Refuses unknown members as well as missing ones. */
function exact<Answer>(validator: () => Validator, answer: Answer): Answer {
  if (validator().Check(answer)) return answer
  const errors = JSON.stringify(validator().Errors(answer).slice(0, 3))
  throw new Error(`The answer does not satisfy its schema: ${errors}`)
}
