// What a page draws inside of a region, looked at operator by operator: the judge of a redaction, which does not believe
// the engine that made it.
import type { Font, Image, Matrix, Path, PDFPage, StrokeState, Text } from 'mupdf'
import { mupdf } from '../../pdf/library.js'
import { type Corners, type Region, shrunk, transformed } from './region.js'

export interface Found {
  /** Boxes of glyphs of which something is inside; in the page's user space. */
  readonly glyphs: readonly Corners[]
  /** Their characters, line breaks where the text moved on. */
  readonly text: string
  readonly images: number
  readonly paths: number
}

/** Of the em: where the body of a glyph is, from the baseline up. */
const [bodyBottom, bodyTop] = [0, 0.66]
/** A glyph is inside when one of so many points across and up its body is. */
const probes = 4
/** A glyph whose edge only touches the region stands beside it. */
const glyphMargin = 0.2

/** `region` in user space. What is drawn on layers that are off is looked at too. */
export function lookUnder(page: PDFPage, region: Region): Found {
  const place = page.getTransform()
  const back = mupdf.Matrix.invert(place)
  const inside = region.through(place)
  const noStroke = new mupdf.StrokeState({ lineCap: 'Butt', lineJoin: 'Miter', lineWidth: 0, miterLimit: 10 })
  const glyphs: Corners[] = []
  let text = ''
  let [images, paths] = [0, 0]
  const onText = (shown: Text, ctm: Matrix): void => {
    text += '\n'
    shown.walk({
      showGlyph(font: Font, trm: Matrix, glyph: number, unicode: number) {
        const corners = glyphBox(font, glyph, mupdf.Matrix.concat(trm, ctm))
        if (!isProbed(inside, corners)) return
        if (unicode <= 0 || String.fromCodePoint(unicode).trim() !== '') {
          glyphs.push(corners.map((corner) => transformed(corner, back)))
        }
        text += unicode > 0 ? String.fromCodePoint(unicode) : ''
      },
    })
  }
  const onPath = (path: Path, stroke: StrokeState | null, ctm: Matrix): void => {
    if (inside.meets(rectOf(path.getBounds(stroke ?? noStroke, ctm)))) paths++
  }
  const onImage = (image: Image, ctm: Matrix): void => {
    if (hasPicture(image, ctm, inside)) images++
  }
  const device = new mupdf.Device({
    fillText: onText,
    strokeText: (shown, _stroke, ctm) => onText(shown, ctm),
    clipText: onText,
    clipStrokeText: (shown, _stroke, ctm) => onText(shown, ctm),
    ignoreText: onText,
    fillPath: (path, _evenOdd, ctm) => onPath(path, null, ctm),
    strokePath: (path, stroke, ctm) => onPath(path, stroke, ctm),
    fillImage: onImage,
    fillImageMask: onImage,
    clipImageMask: onImage,
  })
  try {
    page.runPageContents(device, mupdf.Matrix.identity)
    device.close()
  } finally {
    device.destroy()
    noStroke.destroy()
  }
  return { glyphs, text, images, paths }
}

function glyphBox(font: Font, glyph: number, matrix: Matrix): Corners {
  const advance = font.advanceGlyph(glyph, 0)
  return [
    { x: 0, y: bodyBottom },
    { x: advance, y: bodyBottom },
    { x: advance, y: bodyTop },
    { x: 0, y: bodyTop },
  ].map((corner) => transformed(corner, matrix))
}

function isProbed(region: Region, corners: Corners): boolean {
  const [a, b, , d] = shrunk(corners, glyphMargin)
  if (a === undefined || b === undefined || d === undefined) return false
  for (let across = 0; across < probes; across++) {
    for (let up = 0; up < probes; up++) {
      const [s, t] = [across / (probes - 1), up / (probes - 1)]
      const point = { x: a.x + s * (b.x - a.x) + t * (d.x - a.x), y: a.y + s * (b.y - a.y) + t * (d.y - a.y) }
      if (region.has(point)) return true
    }
  }
  return false
}

const rectOf = ([left, bottom, right, top]: readonly number[]) => ({
  left: left ?? 0,
  bottom: bottom ?? 0,
  right: right ?? 0,
  top: top ?? 0,
})

/** Pixels well inside of the region that are not all the same. `ctm` places the unit square. */
function hasPicture(image: Image, ctm: Matrix, region: Region): boolean {
  const mask = image.getMask()
  try {
    return differs(image, ctm, region) || (mask !== null && differs(mask, ctm, region))
  } finally {
    mask?.destroy()
  }
}

function differs(image: Image, ctm: Matrix, region: Region): boolean {
  if (!region.meets(unitBounds(ctm))) return false
  const pixmap = image.toPixmap()
  try {
    return !isUniform(pixmap, ctm, region)
  } finally {
    pixmap.destroy()
  }
}

function unitBounds(ctm: Matrix) {
  const corners = [0, 1].flatMap((x) => [0, 1].map((y) => transformed({ x, y }, ctm)))
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)]
  return { left: Math.min(...xs), bottom: Math.min(...ys), right: Math.max(...xs), top: Math.max(...ys) }
}

function isUniform(pixmap: InstanceType<typeof mupdf.Pixmap>, ctm: Matrix, region: Region): boolean {
  const [width, height, components] = [pixmap.getWidth(), pixmap.getHeight(), pixmap.getNumberOfComponents()]
  const [pixels, stride] = [pixmap.getPixels(), pixmap.getStride()]
  const inPixels = region.through(mupdf.Matrix.invert(ctm)).through([width, 0, 0, -height, 0, height])
  let first: number | undefined
  for (const corners of inPixels.parts) {
    const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)]
    for (let y = Math.max(0, Math.ceil(Math.min(...ys))); y < Math.min(height, Math.floor(Math.max(...ys))); y++) {
      for (let x = Math.max(0, Math.ceil(Math.min(...xs))); x < Math.min(width, Math.floor(Math.max(...xs))); x++) {
        // The whole pixel, and the one beside it: edges may be rounded either way.
        const around = [-1, 2].flatMap((left) => [-1, 2].map((up) => ({ x: x + left, y: y + up })))
        if (!around.every((point) => inPixels.has(point))) continue
        const at = y * stride + x * components
        first ??= at
        for (let one = 0; one < components; one++) if (pixels[at + one] !== pixels[first + one]) return false
      }
    }
  }
  return true
}
