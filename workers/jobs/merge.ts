// Merges the pending edits of a layer with a new version of its document; see `workers/merge`.
import { JobRefusal } from '../contract/job-refusal.js'
import { contentOf } from '../file/section/section-pieces.js'
import { type LayerMerge, mergeLayer } from '../merge/merge-layer.js'
import type { InlineAnnotation } from '../messages/task.js'
import type { ObjectImage } from '../objects/object-image.js'
import { withShaping } from '../text/shaping/shaping-tools.js'
import type { Job, OnDocument } from './job.js'

/** Input of the job. The source is the layer over its old version, with the images of its overlay. */
export interface MergeInput extends OnDocument {
  /** Path of the file of the new version. */
  readonly onto: string
  readonly inline: readonly InlineAnnotation[]
  readonly promoted: readonly InlineAnnotation[]
  readonly nextObject: number
  readonly conflictsGoTo: 'layer' | 'version'
}

export type MergeOutput =
  | (Omit<Extract<LayerMerge, { readonly state: 'merged' }>, 'images'> & { readonly images: readonly ObjectImage[] })
  | Extract<LayerMerge, { readonly state: 'behind' }>

export const merge: Job<MergeInput, MergeOutput> = {
  kind: 'read',
  deadline: { constantMs: 20_000, perMegabyteMs: 100 },
  run({ source, onto, ...others }, { limits }) {
    if (source.overlay?.images === undefined) {
      throw new JobRefusal('OverlayWanted', 'The edits of the layer are required')
    }
    return withShaping(() => {
      const merged = mergeLayer({ layer: source, onto, ...others, itemsMax: limits.itemsMax })
      if (merged.state === 'behind') return merged
      // The files of large images are released with the task.
      return { ...merged, images: merged.images.map((image) => ({ ...image, body: contentOf(image.body) })) }
    })
  },
}
