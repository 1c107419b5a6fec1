// The contract with much around it that refers to its parts: further pages with links, outlines and a structure tree.
import { catalog, contractObjects, contractTrailer, page, pageAnnotations, signedContract } from './contract.js'
import { RawFile, type RawObjects, stream } from './raw-file.js'

export const busyEntries = '/Outlines 210 0 R/StructTreeRoot 230 0 R'
const furtherPages = 12
const numbers = Array.from({ length: furtherPages }, (_, index) => 300 + 4 * index)

/** Each further page has content, a comment and a link to the first page. */
const pages: RawObjects = Object.fromEntries(
  numbers.flatMap((number) => [
    [
      number,
      `<</Type/Page/Parent 299 0 R/MediaBox[0 0 9 9]/Contents ${number + 1} 0 R/Annots[${number + 2} 0 R ${number + 3} 0 R]>>`,
    ],
    [number + 1, stream('0 0 5 5 re f')],
    [number + 2, `<</Type/Annot/Subtype/Text/Rect[0 0 5 5]/P ${number} 0 R/Contents(x)>>`],
    [number + 3, `<</Type/Annot/Subtype/Link/Rect[0 0 5 5]/P ${number} 0 R/Dest[3 0 R/Fit]>>`],
  ]),
)

export const busyObjects: RawObjects = {
  1: catalog(busyEntries),
  2: '<</Type/Pages/Kids[3 0 R 6 0 R 299 0 R]/Count 14>>',
  54: '<</Names[]>>',
  210: '<</Type/Outlines/First 211 0 R/Last 212 0 R/Count 2>>',
  211: '<</Title(One)/Parent 210 0 R/Next 212 0 R/Dest[3 0 R/Fit]>>',
  212: '<</Title(Two)/Parent 210 0 R/Prev 211 0 R/Dest[304 0 R/Fit]>>',
  230: '<</Type/StructTreeRoot/K 231 0 R/Names 54 0 R>>',
  231: '<</S/Document/P 230 0 R/K[232 0 R 233 0 R 234 0 R]>>',
  232: '<</S/P/P 231 0 R/Pg 3 0 R/K 0>>',
  233: '<</S/Form/P 231 0 R/Pg 3 0 R/K<</Type/OBJR/Obj 20 0 R/Pg 3 0 R>>>>',
  234: '<</S/P/P 231 0 R/Pg 300 0 R/K 0>>',
  299: `<</Type/Pages/Parent 2 0 R/Count ${furtherPages}/Kids[${numbers.map((number) => `${number} 0 R`).join(' ')}]>>`,
  ...pages,
}

export const busyContract = (objects: RawObjects = {}): RawFile => signedContract({ ...busyObjects, ...objects })

/** Objects that make an object of the contract be used a second time: beside the page, in what is drawn, or in names. */
export const aliases: readonly ((number: number) => RawObjects)[] = [
  (number) => ({ 54: `<</Names[(x) ${number} 0 R]>>` }),
  (number) => ({ 54: '<</Names[(x) 240 0 R]>>', 240: `<</D ${number} 0 R/Parent 2 0 R>>` }),
  (number) => ({ 234: `<</S/P/P 231 0 R/Pg 300 0 R/K 0/A ${number} 0 R>>` }),
  (number) => ({ 3: page(pageAnnotations).replace('/Fm 8 0 R', `/Fm 8 0 R/X ${number} 0 R`) }),
  (number) => ({
    3: page(pageAnnotations).replace('/Fm 8 0 R', '/Fm 8 0 R/X 241 0 R'),
    241: `<</Type/Page/FT/Tx/Parent 2 0 R/K ${number} 0 R>>`,
  }),
  (number) => ({ 302: `<</Type/Annot/Subtype/Text/Rect[0 0 5 5]/AP<</N ${number} 0 R>>>>` }),
  (number) => ({ 302: `<</Type/Annot/Subtype/Text/Rect[0 0 5 5]/Popup ${number} 0 R>>` }),
  (number) => ({ 300: `<</Type/Page/Parent 299 0 R/Annots[${number} 0 R]/MediaBox[0 0 9 9]>>` }),
  (number) => ({ 300: `<</Type/Page/Parent 299 0 R/MediaBox[0 0 9 9]/Resources ${number} 0 R>>` }),
  (number) => ({ 299: `${busyObjects[299]}`.replace('/Count', `/Resources<</Font<</F ${number} 0 R>>>>/Count`) }),
  (number) => ({ 5: `<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding ${number} 0 R>>` }),
]

/** The contract before anybody signed it. */
export const unsignedContract = (): RawFile => new RawFile({ ...contractObjects, ...busyObjects }, contractTrailer)
