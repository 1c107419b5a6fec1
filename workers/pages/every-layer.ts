// Turns on all layers of optional content for a while. The engine keeps this state beside the document: nothing of the
// file changes.
import type { PDFDocument } from 'mupdf'

/** Returns the numbers of the layers that are off. */
export function layersOff(pdf: PDFDocument): readonly number[] {
  return Array.from({ length: pdf.countLayers() }, (_, layer) => layer).filter((layer) => !pdf.isLayerVisible(layer))
}

export function withLayersOn<Answer>(pdf: PDFDocument, layers: readonly number[], use: () => Answer): Answer {
  for (const layer of layers) pdf.setLayerVisible(layer, true)
  try {
    return use()
  } finally {
    for (const layer of layers) pdf.setLayerVisible(layer, false)
  }
}
