// Rights to single annotations: scopes such as `annotations:delete:self` decide about each, as on the server.
import type { Comment } from './comments.js'
import type { OpenedDocument } from './opened-document.js'

export type AnnotationAction = 'create' | 'update' | 'delete'

type Owned = Pick<Comment, 'userId' | 'groupId'>

/** True if the annotation is known to be the reader's. */
export const isOwn = ({ access: { identity } }: OpenedDocument, { userId }: Owned): boolean =>
  userId !== null && userId === identity.userId

/** True if the reader may do this to the annotation; a new one is the reader's own. */
export function mayOn(opened: OpenedDocument, action: AnnotationAction, annotation?: Owned): boolean {
  const { scope, identity } = opened.access
  const filters = scope.flatMap((one) => {
    const [entity, ofAction, ...filter] = one.split(':')
    return entity === 'annotations' && (ofAction === action || ofAction === '*') ? [filter.join(':')] : []
  })
  if (filters.length === 0) return opened.may('doc.annotate.modify')
  const { userId = null, groupId = null } = annotation ?? { ...identity }
  return filters.some(
    (filter) =>
      filter === 'all' ||
      (filter === 'self' && userId !== null && userId === identity.userId) ||
      (groupId !== null && filter === `group=${groupId}`) ||
      (userId !== null && filter === `createdBy=${userId}`),
  )
}
