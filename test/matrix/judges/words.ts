// Words of pages with their positions, as read by poppler.

export interface Word {
  readonly text: string
  /** Points from the top left corner of the displayed, rotated page. */
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
}

const page = /<page width="([^"]*)" height="[^"]*">([\s\S]*?)<\/page>/g
const word = /<word xMin="([^"]*)" yMin="([^"]*)" xMax="([^"]*)" yMax="([^"]*)">([\s\S]*?)<\/word>/g
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Words of one page; undefined if poppler does not find the page. */
export type PageWords = readonly Word[] | undefined

/** Parses the output of `pdftotext -bbox`, by page. */
export function wordsOf(bbox: string): readonly PageWords[] {
  return [...bbox.matchAll(page)].map(([, width, content = '']) => (Number(width) === 0 ? undefined : wordsIn(content)))
}

const wordsIn = (content: string): readonly Word[] =>
  [...content.matchAll(word)].map(([, left, top, right, bottom, text = '']) => ({
    text: text.replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole),
    box: {
      x: Number(left),
      y: Number(top),
      width: Number(right) - Number(left),
      height: Number(bottom) - Number(top),
    },
  }))

/**
 * Returns words of the first list that the second lacks. Of a word that is repeated less often, those farthest from any
 * remaining occurrence are returned.
 */
export function missingWords(before: readonly Word[], after: readonly Word[]): readonly Word[] {
  const [was, is] = [byText(before), byText(after)]
  const missing = new Set([...was].flatMap(([text, words]) => unpaired(words, is.get(text) ?? [])))
  return before.filter((one) => missing.has(one))
}

/** Maximum number of pairs of one repeated word whose distances are compared. */
const pairsMax = 1_000_000

function unpaired(before: readonly Word[], after: readonly Word[]): readonly Word[] {
  if (after.length >= before.length) return []
  if (before.length * after.length > pairsMax) return before.slice(after.length)
  const left = new Set(before)
  for (const one of after) {
    let nearest: Word | undefined
    for (const other of left) {
      if (nearest === undefined || distance(one, other) < distance(one, nearest)) nearest = other
    }
    if (nearest !== undefined) left.delete(nearest)
  }
  return [...left]
}

function byText(words: readonly Word[]): ReadonlyMap<string, readonly Word[]> {
  const found = new Map<string, Word[]>()
  for (const word of words) {
    const same = found.get(word.text)
    if (same === undefined) found.set(word.text, [word])
    else same.push(word)
  }
  return found
}

const distance = ({ box: one }: Word, { box: other }: Word): number => Math.hypot(one.x - other.x, one.y - other.y)
