// The engine of the viewer: every answer comes from the server, and nothing reads PDFs in the browser.
import {
  type PdfAnnotationObject,
  type PdfDocumentObject,
  type PdfEngine,
  PdfErrorCode,
  type PdfRenderOptions,
  type PdfTask,
  PdfTaskHelper,
  type Rotation,
} from '@embedpdf/models'
import type { ApiClient } from '../../shared/api-client.js'
import { type LayerName, OpenedDocument } from './opened-document.js'
import { pictureOf, tileOf, turnedSize } from './pictures.js'
import { search } from './search.js'
import { taskOf } from './task.js'
import { geometryOf, textOf } from './text.js'

/** Pixels of a screen for each point at a scale of 1. */
const pixelsPerPoint = (options: PdfRenderOptions | undefined): number =>
  (options?.scaleFactor ?? 1) * (options?.dpr ?? 1)

const turnsOf = (options: PdfRenderOptions | undefined): Rotation => options?.rotation ?? 0

type Served = Pick<
  PdfEngine<Blob>,
  | 'openDocumentUrl'
  | 'closeDocument'
  | 'closeAllDocuments'
  | 'renderPage'
  | 'renderPageRect'
  | 'getPageGeometry'
  | 'getTextSlices'
  | 'searchAllPages'
  | 'getPageAnnotations'
>

export class HttpEngine implements Served {
  readonly #opened = new Map<string, OpenedDocument>()
  #refusal: unknown

  constructor(
    private readonly client: ApiClient,
    private readonly name: LayerName,
  ) {}

  /** Returns the document that the viewer knows by this id. */
  opened(id: string): OpenedDocument {
    const opened = this.#opened.get(id)
    if (opened === undefined) throw new Error(`The document ${id} is not open`)
    return opened
  }

  openDocumentUrl: PdfEngine<Blob>['openDocumentUrl'] = ({ id }, options) =>
    taskOf(async () => {
      try {
        const opened = await OpenedDocument.open(this.client, this.name, options?.password)
        this.#opened.set(id, opened)
        return opened.describe(id)
      } catch (error) {
        this.#refusal = error
        throw error
      }
    })

  /** Why the document was not opened, in words of the server: the viewer knows those of PDF engines only. */
  get refusal(): unknown {
    return this.#refusal
  }

  closeDocument(document: PdfDocumentObject): PdfTask<boolean> {
    return PdfTaskHelper.resolve(this.#opened.delete(document.id))
  }

  closeAllDocuments(): PdfTask<boolean> {
    this.#opened.clear()
    return PdfTaskHelper.resolve(true)
  }

  renderPage: PdfEngine<Blob>['renderPage'] = ({ id }, page, options) =>
    taskOf(async (signal) => {
      const width = page.size.width * pixelsPerPoint(options)
      const { failedPages, firstPicture } = this.opened(id)
      try {
        const picture = await pictureOf(this.opened(id), { page, width, rotation: turnsOf(options), signal })
        failedPages.set(page.index, undefined)
        return picture
      } catch (error) {
        if (!signal.aborted) failedPages.set(page.index, error instanceof Error ? error.message : String(error))
        throw error
      } finally {
        firstPicture.show()
      }
    })

  /** The viewer asks for thumbnails in this way: as a part that is the whole page. */
  renderPageRect: PdfEngine<Blob>['renderPageRect'] = ({ id }, page, rect, options) =>
    taskOf((signal) => {
      const scale = pixelsPerPoint(options)
      const { width, height } = rect.size
      if (width < page.size.width || height < page.size.height) {
        return tileOf(this.opened(id), { page, rect, scale, signal })
      }
      const rotation = turnsOf(options)
      const request = { page, width: turnedSize(page, rotation).width * scale, rotation, signal }
      return this.opened(id).thumbnails.next(signal, () => pictureOf(this.opened(id), request))
    })

  getPageGeometry: PdfEngine<Blob>['getPageGeometry'] = ({ id }, page) =>
    taskOf((signal) => geometryOf(this.opened(id), page, signal))

  getTextSlices: PdfEngine<Blob>['getTextSlices'] = ({ id }, slices) =>
    taskOf((signal) => textOf(this.opened(id), slices, signal))

  searchAllPages: PdfEngine<Blob>['searchAllPages'] = ({ id }, text, options) =>
    taskOf((signal, report) => search(this.opened(id), { text, flags: options?.flags ?? [], signal, report }))

  /** Pictures show the annotations already. */
  getPageAnnotations: PdfEngine<Blob>['getPageAnnotations'] = () => PdfTaskHelper.resolve<PdfAnnotationObject[]>([])
}

/** Returns the engine with every method of the interface: those that this server does not serve are refused. */
export function complete(engine: HttpEngine): PdfEngine<Blob> {
  const refused = () =>
    PdfTaskHelper.reject({ code: PdfErrorCode.NotSupport, message: 'This viewer does not need the operation' })
  return new Proxy(engine, {
    get: (target, name) => {
      const found: unknown = Reflect.get(target, name, target)
      if (typeof found === 'function') return found.bind(target)
      // Promises look for this member in what they resolve to.
      return name === 'then' || found !== undefined ? found : refused
    },
  }) as unknown as PdfEngine<Blob>
}
