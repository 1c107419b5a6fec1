// A layer of a document as a viewer has it open: what its reader may do, its pages, and the versions of what they show.
import { type PdfDocumentObject, PdfPermissionFlag, type Rotation } from '@embedpdf/models'
import type { Static } from 'typebox'
import type { PageLayout } from '../../../../workers/contract/page-layout.js'
import type { PageList } from '../../../../workers/contract/page-list.js'
import type { DocumentAccess } from '../../../schemas/access.js'
import type { CachePins, Manifest } from '../../../schemas/head.js'
import type { LinkCreated } from '../../../schemas/link.js'
import type { ApiClient, ApiRequest } from '../../shared/api-client.js'
import { ApiError } from '../../shared/api-error.js'
import { FailedPages } from './failed-pages.js'
import { FirstPicture } from './first-picture.js'
import { Line } from './line.js'

export type Access = Static<typeof DocumentAccess>
export type Pins = Static<typeof CachePins>
type Versions = Static<typeof Manifest>

/** Name of a document and of one of its layers. */
export interface LayerName {
  readonly docId: string
  readonly layer: string
}

export class OpenedDocument {
  readonly #indexes: ReadonlyMap<number, number>
  #pins: ReadonlyMap<number, Pins>
  readonly #listeners = new Set<() => void>()
  readonly failedPages = new FailedPages()
  readonly firstPicture = new FirstPicture()
  readonly thumbnails = new Line(this.firstPicture.shown)

  private constructor(
    readonly client: ApiClient,
    readonly name: LayerName,
    readonly access: Access,
    readonly pages: readonly PageLayout[],
    private versions: Versions,
  ) {
    this.#indexes = new Map(pages.map(({ ref, index }) => [ref.objectNumber, index]))
    this.#pins = pinsIn(versions)
  }

  /** Throws `ApiError`; its code is `DocPasswordRequired` if the file needs a password that was not given. */
  static async open(client: ApiClient, name: LayerName, password: string | undefined): Promise<OpenedDocument> {
    const below = folderOf(name)
    const json = password === undefined ? {} : { password }
    const read = () =>
      Promise.all([client.json<PageList>(`${below}layout`), client.json<Versions>(`${below}manifest`)] as const)
    // Most documents need no password, so nothing waits for the access.
    const early = password === undefined ? read() : undefined
    early?.catch(() => {})
    const access = await client.json<Access>(`${below}access`, { method: 'POST', json })
    if (access.security.access.reasons.includes('password')) {
      throw new ApiError(403, 'DocPasswordRequired', 'The document is encrypted and opens with its password only')
    }
    const [{ pages }, versions] = await (early ?? read())
    return new OpenedDocument(client, name, access, pages, versions)
  }

  /** Number of the last change that is shown. */
  get auditHead(): number {
    return this.versions.auditHead
  }

  /** Reads which pages were changed, and shows them from now on; `pages` = pages were added, removed, moved or turned. */
  async refresh(): Promise<'pages' | readonly number[]> {
    const versions = await this.json<Versions>('manifest')
    if (versions.layoutVersion !== this.versions.layoutVersion) return 'pages'
    const [before, now] = [this.#pins, pinsIn(versions)]
    this.versions = versions
    this.#pins = now
    for (const listener of this.#listeners) listener()
    return this.pages
      .filter(({ ref }) => !isSame(before.get(ref.objectNumber), now.get(ref.objectNumber)))
      .map(({ index }) => index)
  }

  /** Calls the listener after every change. Returns a function that ends it. */
  onRefresh(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  may(capability: string): boolean {
    return this.access.effectiveScope.includes(capability)
  }

  pageAt(index: number): PageLayout {
    const page = this.pages[index]
    if (page === undefined) throw new RangeError(`There is no page ${index + 1}`)
    return page
  }

  /** Returns the index of a page by its object number; undefined if the document has no such page. */
  indexOf(objectNumber: number): number | undefined {
    return this.#indexes.get(objectNumber)
  }

  /** Versions of what a page shows. */
  pinsOf(page: PageLayout): Pins {
    const pins = this.#pins.get(page.ref.objectNumber)
    if (pins === undefined) throw new ApiError(404, 'NotFound', 'The page is gone')
    return pins
  }

  send(path: string, request?: ApiRequest): Promise<Response> {
    return this.client.send(`${folderOf(this.name)}${path}`, request)
  }

  json<Answer>(path: string, request?: ApiRequest): Promise<Answer> {
    return this.client.json(`${folderOf(this.name)}${path}`, request)
  }

  blob(path: string, request?: ApiRequest): Promise<Blob> {
    return this.client.blob(`${folderOf(this.name)}${path}`, request)
  }

  /** Returns an address that the browser itself can read for a short time, without the token. */
  async linkTo(path: string): Promise<string> {
    const json = { url: `/${folderOf(this.name)}${path}` }
    const { url } = await this.json<Static<typeof LinkCreated>>('links', { method: 'POST', json })
    return this.client.address(url.replace(/^\//, '')).href
  }

  /** Describes the document to the viewer, whose pages have the size of paper in points. */
  describe(id: string): PdfDocumentObject {
    return {
      id,
      pageCount: this.pages.length,
      pages: this.pages.map(({ index, ref, size, rotation, userUnit }) => ({
        index,
        size: { width: size.width * userUnit, height: size.height * userUnit },
        rotation: (rotation / 90) as Rotation,
        objectNumber: ref.objectNumber,
      })),
      isEncrypted: this.access.security.encryption.state === 'encrypted',
      isOwnerUnlocked: this.access.security.permissions.openedAs === 'owner',
      permissions: permissionsOf(this),
      normalizedRotation: true,
    }
  }
}

/** Path of everything about a layer, with a slash at its end. */
export const folderOf = ({ docId, layer }: LayerName): string =>
  `v1/docs/${encodeURIComponent(docId)}/layers/${encodeURIComponent(layer)}/`

const pinsIn = ({ pages }: Versions): ReadonlyMap<number, Pins> =>
  new Map(pages.map(({ page, cache }) => [page.objectNumber, cache]))

const isSame = (one: Pins | undefined, other: Pins | undefined): boolean =>
  one?.contentVersion === other?.contentVersion &&
  one?.annotationVersion === other?.annotationVersion &&
  one?.widgetVersion === other?.widgetVersion

/** Returns the rights of the token as permission bits of a PDF. */
function permissionsOf(opened: OpenedDocument): number {
  const granted: readonly (readonly [PdfPermissionFlag, string])[] = [
    [PdfPermissionFlag.CopyContents, 'doc.text.copy'],
    [PdfPermissionFlag.Print, 'doc.print'],
    [PdfPermissionFlag.PrintHighQuality, 'doc.print.high'],
    [PdfPermissionFlag.ModifyAnnotations, 'doc.annotate.modify'],
    [PdfPermissionFlag.FillForms, 'doc.forms.fill'],
    [PdfPermissionFlag.AssembleDocument, 'doc.pages.assemble'],
    [PdfPermissionFlag.ModifyContents, 'doc.pages.modify'],
  ]
  return granted.reduce((bits, [flag, capability]) => (opened.may(capability) ? bits | flag : bits), 0)
}
