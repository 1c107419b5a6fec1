// Runs a job like a worker thread, in this thread.
import type { Test } from 'tap'
import { HotDocuments } from '../../../workers/document/hot-documents.js'
import { openFile } from '../../../workers/document/open-file.js'
import { asTask } from '../../../workers/engine/library.js'
import type { Job, OnDocument } from '../../../workers/jobs/job.js'
import { type JobLimits, limits } from '../../../workers/limits.js'
import { runWithTools } from '../../../workers/thread/task-tools.js'

export type Run = <Input extends OnDocument, Answer>(job: Job<Input, Answer>, input: Input) => Promise<Answer>

export function runner(t: Test, bounds: Partial<JobLimits> = {}): Run {
  const hotDocuments = new HotDocuments(openFile, {
    countMax: limits.hotDocumentsMax,
    bytesMax: limits.hotDocumentBytesMax,
  })
  t.teardown(() => hotDocuments.clear())
  const surroundings = { hotDocuments, limits: { ...limits, ...bounds } }
  return async (job, input) =>
    await asTask(async () => await runWithTools((tools) => job.run(input, tools), surroundings))
}
