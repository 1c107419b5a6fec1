// Picture of a page with all annotations, rendered by our own server.
import { pixelsOf } from '../support/pdf/pictures.js'
import type { Sheet } from './boxes.js'
import type { Picture } from './judges/pictures.js'
import type { LayerClient } from './layer.js'

export async function ourPicture(
  layer: LayerClient,
  { number, sheet, width }: { readonly number: number; readonly sheet: Sheet; readonly width: number },
): Promise<Picture | undefined> {
  const query = `format=png&viewport.kind=width&viewport.width=${width}&rotation=${sheet.rotation}`
  const answer = await layer.get(`render/all/pages/obj:${number}/data?${query}`)
  if (answer.status !== 200) return undefined
  const { width: drawn, height, rgba } = await pixelsOf(answer.bytes)
  return {
    width: drawn,
    height,
    rgb: Uint8Array.from({ length: drawn * height * 3 }, (_, at) => rgba[Math.floor(at / 3) * 4 + (at % 3)] ?? 0),
  }
}
