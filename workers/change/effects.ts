// Effects of a change, declared once by its ops. Version pins, `cacheDelta`, undo and events follow from them: an equal
// pin means equal pixels and equal lists.

/** Planes of one page. Rotating or moving a page changes the document's layout and no plane of the page. */
export type PagePlane = 'content' | 'annotations' | 'widgets'
/**
 * Planes of the whole document. `annotations` and `forms` follow from the pages whose annotations or widgets changed.
 */
export type DocumentPlane = 'layout' | 'metadata' | 'forms' | 'annotations' | 'attachments'

export interface EffectList {
  /** Object numbers of pages with their changed planes; empty for a page that was only moved or rotated. */
  readonly pages: readonly { readonly page: number; readonly planes: readonly PagePlane[] }[]
  readonly document: readonly DocumentPlane[]
}

/** Planes of the document that change with a plane of a page. */
const followed: Readonly<Record<PagePlane, readonly DocumentPlane[]>> = {
  content: [],
  annotations: ['annotations'],
  widgets: ['annotations', 'forms'],
}

export class Effects {
  readonly #pages = new Map<number, Set<PagePlane>>()
  readonly #document = new Set<DocumentPlane>()

  /** Declares changed planes of a page; without `planes`, a page that was moved or rotated with unchanged content. */
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
