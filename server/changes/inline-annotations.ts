// Annotations the uploaded file stores inline, with the numbers that were reserved for them at ingest.
import type { InlineAnnotation } from '../../workers/messages/task.js'
import { versionPagesOf } from '../layers/version-pages.js'
import type { ChangeState } from './state.js'

/** None for a locked document: nothing of its content was recorded. */
export async function inlineAnnotationsOf(state: ChangeState): Promise<readonly InlineAnnotation[]> {
  const { context, owner, layer, document } = state
  const version = layer?.version ?? document.headVersion
  return (await versionPagesOf(context.deployment, { owner, version }))?.inlineAnnotations ?? []
}
