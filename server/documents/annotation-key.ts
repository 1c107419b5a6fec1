// Parses the annotation key of a path: `obj:7`, or `base:0` for one stored inline in the uploaded file.
import type { Static } from 'typebox'
import type { AnnotationRef } from '../../workers/contract/annotation-ref.js'
import { objectNumberOf } from '../schemas/ids.js'

export function annotationRefOf(pageKey: string, annotKey: string): Static<typeof AnnotationRef> {
  const page = { kind: 'objectNumber', objectNumber: objectNumberOf(pageKey) } as const
  const number = Number(annotKey.slice(annotKey.indexOf(':') + 1))
  return annotKey.startsWith('base:')
    ? { kind: 'baseIndex', page, baseIndex: number }
    : { kind: 'objectNumber', page, objectNumber: number }
}
