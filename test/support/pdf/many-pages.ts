// Documents of many pages, each with the word `needle` and its number.
import { type RawObjects, rawPdf } from './raw-pdf.js'

/** Pages are the objects 4, 6, 8 and so on. */
export function needlesOn(count: number): Buffer {
  const numbers = Array.from({ length: count }, (_, index) => 4 + 2 * index)
  const pages = numbers.map(
    (number): RawObjects => ({
      [number]: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Resources<</Font<</F1 3 0 R>>>>/Contents ${number + 1} 0 R>>`,
      [number + 1]: { body: '<<>>', stream: `BT /F1 12 Tf 20 100 Td (needle ${number}) Tj ET` },
    }),
  )
  return rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R>>',
    2: `<</Type/Pages/Count ${count}/Kids[${numbers.map((number) => `${number} 0 R`).join(' ')}]>>`,
    3: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...Object.assign({}, ...pages),
  })
}
