// Reads what lies under marks as readers copy it: in logical order, with /ActualText in place of the glyphs.
import type { OpenDocument } from '../document/open-document.js'
import { layersOff, withLayersOn } from '../pages/every-layer.js'
import { pageSource, withText } from '../pages/reading-order/ordered-text.js'
import { centreOf, type Region } from './region.js'

/** Returns the text of characters whose middle is in the region, hidden ones too, by lines. */
export function markedText(document: OpenDocument, page: number, region: Region): readonly string[] {
  const { pdf } = document
  return document.withContent(page, (loaded) =>
    withLayersOn(pdf, layersOff(pdf), () => {
      const inside = region.through(loaded.getTransform())
      const lines: string[] = []
      let line = ''
      withText(pageSource(loaded), 'clip=0', (text) =>
        text.walk({
          onCharacter: ({ text: character, quad: [ulx, uly, urx, ury, llx, lly, lrx, lry] }) => {
            const corners = [
              { x: ulx, y: uly },
              { x: urx, y: ury },
              { x: llx, y: lly },
              { x: lrx, y: lry },
            ]
            line += inside.has(centreOf(corners)) ? character : '\n'
          },
          endLine: () => {
            lines.push(...line.split('\n').filter((one) => one.trim() !== ''))
            line = ''
          },
        }),
      )
      return lines
    }),
  )
}
