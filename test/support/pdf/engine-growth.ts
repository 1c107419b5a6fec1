// Makes the memory of the PDF engine grow: existing views of it are empty afterwards.
import { heapBytes, mupdf } from '../../../workers/engine/library.js'

const side = 2048

export function growEngineMemory(): void {
  const before = heapBytes()
  const pixmaps: { destroy(): void }[] = []
  try {
    while (heapBytes() === before) {
      pixmaps.push(new mupdf.Pixmap(mupdf.ColorSpace.DeviceRGB, [0, 0, side, side], false))
    }
  } finally {
    for (const pixmap of pixmaps) pixmap.destroy()
  }
}
