// Fonts, loaded from files, for scripts that neither the standard fonts nor the engine's cover, and text laid out with
// them.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Font } from 'harfbuzzjs'
import type { Direction } from './direction.js'
import { shapingTools } from './shaping-tools.js'

interface Family {
  /** Name of the font's resource. */
  readonly tag: string
  readonly folder: string
  readonly file: string
  readonly scripts: RegExp
}

/** Font families, all under the SIL Open Font License. */
const families: readonly Family[] = [
  { tag: 'Arab', folder: 'noto-sans-arabic', file: 'NotoSansArabic', scripts: /\p{scx=Arabic}/u },
  { tag: 'Thai', folder: 'noto-sans-thai', file: 'NotoSansThai', scripts: /\p{scx=Thai}/u },
  { tag: 'Deva', folder: 'noto-sans-devanagari', file: 'NotoSansDevanagari', scripts: /\p{scx=Devanagari}/u },
  { tag: 'Beng', folder: 'noto-sans-bengali', file: 'NotoSansBengali', scripts: /\p{scx=Bengali}/u },
  { tag: 'Taml', folder: 'noto-sans-tamil', file: 'NotoSansTamil', scripts: /\p{scx=Tamil}/u },
  { tag: 'Geor', folder: 'noto-sans-georgian', file: 'NotoSansGeorgian', scripts: /\p{scx=Georgian}/u },
  { tag: 'Armn', folder: 'noto-sans-armenian', file: 'NotoSansArmenian', scripts: /\p{scx=Armenian}/u },
  // This font has Latin, Greek and Cyrillic with all marks, Hebrew, and currency signs, and the metrics of Helvetica.
  { tag: 'Latn', folder: 'arimo', file: 'Arimo', scripts: /\p{Any}/u },
]

const weights = { regular: '400Regular', bold: '700Bold' } as const
export type Weight = keyof typeof weights

/** Glyph with its position, in fractions of the em. */
export interface PlacedGlyph {
  readonly glyph: number
  /** Offsets to the right and upwards, from the start of the run. */
  readonly x: number
  readonly y: number
  /** Advance width in the font, independent of the next glyph's position. */
  readonly width: number
}

/** Glyphs of one or more characters that cannot be separated. */
export interface GlyphCluster {
  readonly text: string
  readonly glyphs: readonly PlacedGlyph[]
}

export interface ShapedRun {
  /** Glyphs from left to right. */
  readonly clusters: readonly GlyphCluster[]
  readonly direction: Direction
  readonly width: number
  /** Height from the baseline to the top of the highest mark. */
  readonly top: number
}

export interface RunToShape {
  /** Line that contains the run: adjacent characters determine how letters join at its ends. */
  readonly line: string
  readonly start: number
  readonly end: number
  readonly direction: Direction
}

/** Number of adjacent characters that determine how letters of a run join. */
const contextMax = 5

const fonts = new Map<string, ScriptFont>()

/** Returns a font that has all the characters; undefined if there is none. */
export function scriptFontOf(characters: string, weight: Weight): ScriptFont | undefined {
  const candidates = families.filter(({ scripts }) => scripts.test(characters))
  return candidates.map((family) => loadedFont(family, weight)).find((font) => font.has(characters))
}

function loadedFont(family: Family, weight: Weight): ScriptFont {
  const tag = weight === 'bold' ? `${family.tag}Bold` : family.tag
  const known = fonts.get(tag)
  if (known !== undefined) return known
  const style = weights[weight]
  const path = `@expo-google-fonts/${family.folder}/${style}/${family.file}_${style}.ttf`
  const bytes = readFileSync(fileURLToPath(import.meta.resolve(path)))
  const made = new ScriptFont({ tag, name: `${family.file}-${style.slice(3)}`, bytes })
  fonts.set(tag, made)
  return made
}

export interface FontFile {
  /** Prefix of resource names. */
  readonly tag: string
  readonly name: string
  readonly bytes: Uint8Array
}

/** Matches control characters, which need no glyph. */
const invisible = /\p{Default_Ignorable_Code_Point}/u

export class ScriptFont {
  /** Number of a glyph without ink. */
  readonly blank: number = 0
  readonly glyphCount: number
  readonly #font: Font
  readonly #characters: ReadonlySet<number>
  readonly #em: number

  constructor(readonly file: FontFile) {
    const { Blob, Face, Font: FontOfFace } = shapingTools().harfbuzz
    const face = new Face(new Blob(new Uint8Array(file.bytes).buffer))
    this.#font = new FontOfFace(face)
    this.#characters = new Set(face.collectUnicodes())
    this.#em = face.upem
    const [, , , , high = 0, low = 0] = face.referenceTable('maxp') ?? []
    this.glyphCount = high * 256 + low
    const [space] = this.shape({ line: ' ', start: 0, end: 1, direction: 'ltr' }).clusters
    this.blank = space?.glyphs[0]?.glyph ?? 0
  }

  has(characters: string): boolean {
    for (const character of characters) {
      if (!this.#characters.has(character.codePointAt(0) ?? 0) && !invisible.test(character)) return false
    }
    return true
  }

  shape({ line, start, end, direction }: RunToShape): ShapedRun {
    const { harfbuzz, buffer } = shapingTools()
    buffer.reset()
    const from = Math.max(0, start - contextMax)
    buffer.addText(line.slice(from, end + contextMax), start - from, end - start)
    buffer.guessSegmentProperties()
    buffer.setDirection(direction === 'rtl' ? harfbuzz.Direction.RTL : harfbuzz.Direction.LTR)
    harfbuzz.shape(this.#font, buffer)
    const infos = buffer.getGlyphInfos()
    const positions = buffer.getGlyphPositions()
    const starts = [...new Set(infos.map(({ cluster }) => cluster + from))].sort((one, other) => one - other)
    const ends = new Map(starts.map((place, index) => [place, starts[index + 1] ?? end]))
    const clusters: { readonly at: number; readonly text: string; readonly glyphs: PlacedGlyph[] }[] = []
    let pen = 0
    let top = 0
    infos.forEach(({ codepoint: glyph, cluster }, index) => {
      const at = cluster + from
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {}
      // Control characters get a blank glyph without width.
      const width = glyph === this.blank && xAdvance === 0 ? 0 : this.#font.glyphHAdvance(glyph)
      const placed = { glyph, x: (pen + xOffset) / this.#em, y: yOffset / this.#em, width: width / this.#em }
      pen += xAdvance
      top = Math.max(top, yOffset + (this.#font.glyphExtents(glyph)?.yBearing ?? 0))
      const last = clusters.at(-1)
      if (last?.at === at) last.glyphs.push(placed)
      else clusters.push({ at, text: line.slice(at, ends.get(at)), glyphs: [placed] })
    })
    return { clusters, direction, width: pen / this.#em, top: top / this.#em }
  }
}
