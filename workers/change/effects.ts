// What a change changed, declared once by the ops that did it. Version pins, `cacheDelta`, undo and events all follow
// from it: same pin, same pixels, same lists.

/** Planes of one page. A turn or a new place of the page moves none of them: those are layout. */
export type PagePlane = 'content' | 'annotations' | 'widgets'
/** Planes of the whole document. `annotations` and `forms` follow from the pages where something of theirs changed. */
export type DocumentPlane = 'layout' | 'metadata' | 'forms' | 'annotations' | 'attachments'

export interface EffectList {
  /** Object numbers of pages, each with the planes that changed; a page that was only moved or turned has none. */
  readonly pages: readonly { readonly page: number; readonly planes: readonly PagePlane[] }[]
  readonly document: readonly DocumentPlane[]
}

/** Planes of the document that follow from a plane of a page. */
const followed: Readonly<Record<PagePlane, readonly DocumentPlane[]>> = {
  content: [],
  annotations: ['annotations'],
  widgets: ['annotations', 'forms'],
}

export class Effects {
  readonly #pages = new Map<number, Set<PagePlane>>()
  readonly #document = new Set<DocumentPlane>()

  /** A page whose `planes` are left out is affected as a whole (moved, turned), with no content of its own changed. */
  page(page: number, ...planes: readonly PagePlane[]): void {
    const known = this.#pages.get(page) ?? new Set()
    this.#pages.set(page, known)
    for (const plane of planes) {
      known.add(plane)
      this.document(...followed[plane])
    }
  }

  document(...planes: readonly DocumentPlane[]): void {
    for (const plane of planes) this.#document.add(plane)
  }

  list(): EffectList {
    return {
      pages: [...this.#pages].map(([page, planes]) => ({ page, planes: [...planes] })),
      document: [...this.#document],
    }
  }
}
