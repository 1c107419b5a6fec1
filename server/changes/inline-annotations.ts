// Annotations stored inline in the uploaded file, with the object numbers reserved for them at ingest.
import type { InlineAnnotation } from '../../workers/messages/task.js'
import { versionPagesOf } from '../layers/version-pages.js'
import type { ChangeState } from './state.js'

/** Returns the annotations; none for a locked document, whose content was not recorded. */
export async function inlineAnnotationsOf(state: ChangeState): Promise<readonly InlineAnnotation[]> {
  const { context, owner, layer, document } = state
  const version = layer?.version ?? document.headVersion
  return (await versionPagesOf(context.deployment, { owner, version }))?.inlineAnnotations ?? []
}
