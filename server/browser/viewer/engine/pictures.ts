// Pictures of pages. They come in the widths that all viewers share, so that the server draws each once.
import type { PdfPageObject, Rect, Rotation, Size } from '@embedpdf/models'
import { pagePath, versionedAddress } from './address.js'
import type { OpenedDocument } from './opened-document.js'

/** Width of the widest picture of a whole page, in pixels; closer views are put together from tiles. */
export const widestPage = 2560

/** Longest side of a picture in WebP, in pixels. */
const longestSide = 16_383

export interface PictureRequest {
  readonly page: PdfPageObject
  /** Width in pixels at which the picture is shown. */
  readonly width: number
  readonly signal: AbortSignal
  /** Quarter turns of the picture; the viewer turns those of its pages itself. Default none. */
  readonly rotation?: Rotation
}

export async function pictureOf(
  opened: OpenedDocument,
  { page, width, signal, rotation = 0 }: PictureRequest,
): Promise<Blob> {
  const { fullPage, maxRenderPixels } = opened.access.renderPolicy
  const widths = fullPage.widths
  const shared = widths.find((one) => one >= width) ?? Math.max(...widths)
  // Pages like ribbons have narrow pictures only, so that the other side is not too long.
  const shown = turnedSize(page, rotation)
  const slope = shown.width / shown.height
  const widest = Math.floor(Math.min(longestSide * slope, Math.sqrt(maxRenderPixels * slope)))
  const turn = rotation === 0 ? {} : { rotation: rotation * 90 }
  return drawn(
    opened,
    page,
    { 'viewport.kind': 'width', 'viewport.width': Math.max(1, Math.min(shared, widest)), ...turn },
    signal,
  )
}

/** Returns the size of a page after quarter turns, in points. */
export const turnedSize = ({ size }: PdfPageObject, rotation: Rotation): Size =>
  rotation % 2 === 0 ? size : { width: size.height, height: size.width }

export interface TileRequest {
  readonly page: PdfPageObject
  /** Part of the page, in points of the page as it is shown. */
  readonly rect: Rect
  /** Pixels per point. */
  readonly scale: number
  readonly signal: AbortSignal
}

export function tileOf(opened: OpenedDocument, { page, rect, scale, signal }: TileRequest): Promise<Blob> {
  const { userUnit } = opened.pageAt(page.index)
  const { origin, size } = rect
  return drawn(
    opened,
    page,
    {
      'viewport.kind': 'scale',
      'viewport.scale': scale * userUnit,
      'target.kind': 'rect',
      'target.rect.x': origin.x / userUnit,
      'target.rect.y': origin.y / userUnit,
      'target.rect.width': size.width / userUnit,
      'target.rect.height': size.height / userUnit,
    },
    signal,
  )
}

type Drawing = Readonly<Record<string, string | number>>

function drawn(opened: OpenedDocument, { index }: PdfPageObject, drawing: Drawing, signal: AbortSignal): Promise<Blob> {
  const page = opened.pageAt(index)
  const { path, pins } = familyFor(opened)
  const versions = opened.pinsOf(page)
  const members = Object.fromEntries(pins.map((pin) => [pin, versions[pin]]))
  const address = versionedAddress(pagePath(path, page.ref.objectNumber), { ...drawing, ...members, format: 'webp' })
  return opened.blob(address, { signal })
}

/** Chooses the picture with everything that the reader may see. */
function familyFor(opened: OpenedDocument) {
  const [annotations, fields] = [opened.may('doc.annotate.read'), opened.may('doc.forms.read')]
  if (annotations && fields) {
    return { path: 'render/all', pins: ['annotationVersion', 'contentVersion', 'widgetVersion'] } as const
  }
  if (annotations) return { path: 'render/annotations', pins: ['annotationVersion'] } as const
  if (fields) return { path: 'render/fields', pins: ['widgetVersion'] } as const
  return { path: 'render', pins: ['contentVersion'] } as const
}
