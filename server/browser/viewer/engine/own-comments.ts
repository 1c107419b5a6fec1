// The reader's own comments, and whether somebody else removed one: its author can bring it back.
import type { AnnotationRef } from '../../../../workers/contract/annotation-ref.js'
import type { AuditEvent } from '../../../schemas/events.js'
import { annotationKey } from './annotation-key.js'
import type { Comment } from './comments.js'
import type { OpenedDocument } from './opened-document.js'
import { isOwn } from './rights.js'

interface Item {
  readonly type?: string
  readonly meta?: { readonly changed?: readonly AnnotationRef[] }
}

export class OwnComments {
  #keys: ReadonlySet<string> = new Set()

  constructor(private readonly opened: OpenedDocument) {}

  /** Reads them. What cannot be read stays as it was. */
  async read(): Promise<void> {
    const { opened } = this
    if (opened.access.identity.userId === undefined || !opened.may('doc.annotate.read')) return
    await opened.firstPicture.shown
    const list = opened.json<{ readonly annotations: readonly Comment[] }>('annotations/items')
    const { annotations } = await list.catch(() => ({ annotations: [] }))
    const own = annotations.filter((one) => isOwn(opened, one)).map(({ ref }) => annotationKey(ref))
    this.#keys = new Set([...this.#keys, ...own])
  }

  /** Returns the name of a change that removed one of them in another window; undefined for every other change. */
  removalIn({ kind, payload, idempotencyKey, originSessionId }: AuditEvent): string | undefined {
    if (originSessionId === this.opened.client.headers['X-Engine-Session-Id']) {
      void this.read()
      return undefined
    }
    const { items = kind === 'annot.delete' ? [{ ...Object(payload), type: 'annotations.delete' }] : [] } = Object(
      payload,
    ) as { readonly items?: readonly Item[] }
    // The annotation itself is the first; the others went along with it.
    const named = items.flatMap(({ type, meta }) =>
      type === 'annotations.delete' ? (meta?.changed?.slice(0, 1) ?? []) : [],
    )
    const isOfReader = named.length > 0 && named.every((ref) => this.#keys.has(annotationKey(ref)))
    return isOfReader ? (idempotencyKey ?? undefined) : undefined
  }
}
