// Annotations as the server says they are after the changes of this window, which may not have been read back yet.
import type { Static } from 'typebox'
import type { AnnotationRef } from '../../../../workers/contract/annotation-ref.js'
import type { Annotation } from '../../../../workers/contract/annotations/annotation.js'
import type { AnnotationsUpdate } from '../../../../workers/contract/ops/annotations-update.js'
import { annotationKey } from './annotation-key.js'

/** An annotation at a version of the annotations of its page: the version grows with every change of them. */
export interface ReadAnnotation<Kind extends Annotation = Annotation> {
  readonly annotation: Kind
  readonly version: number
}

interface Item {
  readonly type: string
}

export class AnsweredAnnotations {
  readonly #last = new Map<string, ReadAnnotation>()

  /** Takes what an answer says of each op, or of each step of an undo. */
  note(items: readonly Item[]): void {
    for (const { annotation, page, meta } of items.filter(isUpdate)) {
      const moved = meta.cacheDelta?.pages.find((one) => one.page.objectNumber === page.objectNumber)
      if (moved === undefined) continue
      this.#last.set(annotationKey(annotation.ref), { annotation, version: moved.cache.annotationVersion })
    }
  }

  /** Returns undefined if no change of this window has changed the annotation. */
  lastOf(ref: AnnotationRef): ReadAnnotation | undefined {
    return this.#last.get(annotationKey(ref))
  }
}

const isUpdate = (item: Item): item is Static<typeof AnnotationsUpdate.item> => item.type === 'annotations.update'
