// Small files that are expensive for a renderer or crash it, but can be opened.
import { onePage, type RawObjects } from './raw-pdf.js'

/** A form that draws the next one `width` times, and so on: width ** depth drawings. Never ends in practice. */
export function nestedForms({ depth, width }: { readonly depth: number; readonly width: number }): Buffer {
  const first = 10
  const further: Record<number, RawObjects[number]> = {}
  for (let level = 0; level < depth; level++) {
    const isLast = level === depth - 1
    const resources = isLast ? '' : `/XObject<</X ${first + level + 1} 0 R>>`
    further[first + level] = {
      body: `<</Type/XObject/Subtype/Form/BBox[0 0 300 200]/Resources<<${resources}>>>>`,
      stream: isLast ? '0 0 1 1 re f' : `q ${'/X Do '.repeat(width)}Q`,
    }
  }
  return onePage('q /X Do Q', { resources: `/XObject<</X ${first} 0 R>>`, further })
}

/** Draws for hours. */
export const exponential = (): Buffer => nestedForms({ depth: 16, width: 10 })

/** Draws a 300 x 200 page in a moment, and exhausts the engine's stack on the way: a WebAssembly trap. */
export const stackBreaker = (): Buffer => nestedForms({ depth: 40, width: 1 })

/** A pattern whose tiles lie a thousandth of a point apart. */
export const tinySteps = (): Buffer =>
  onePage('/Pattern cs /P scn 0 0 300 200 re f', {
    resources: '/Pattern<</P 5 0 R>>',
    further: {
      5: {
        body: '<</PatternType 1/PaintType 1/TilingType 1/BBox[0 0 500 500]/XStep .001/YStep .001/Resources<<>>>>',
        stream: '1 0 0 rg 0 0 .0005 .0005 re f',
      },
    },
  })

/** One path that crosses the page many times. */
export function longPath(segments: number): Buffer {
  let content = '0 0 m\n'
  for (let index = 0; index < segments; index++) content += `${(index * 7919) % 300} ${(index * 104729) % 200} l\n`
  return onePage(`${content}f*`)
}
