// Words of pages with their positions, as read by poppler.

export interface Word {
  readonly text: string
  /** Points from the top left corner of the displayed, rotated page. */
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
}

const page = /<page width="[^"]*" height="[^"]*">([\s\S]*?)<\/page>/g
const word = /<word xMin="([^"]*)" yMin="([^"]*)" xMax="([^"]*)" yMax="([^"]*)">([\s\S]*?)<\/word>/g
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Parses the output of `pdftotext -bbox`, by page. */
export function wordsOf(bbox: string): readonly (readonly Word[])[] {
  return [...bbox.matchAll(page)].map(([, content = '']) =>
    [...content.matchAll(word)].map(([, left, top, right, bottom, text = '']) => ({
      text: text.replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole),
      box: {
        x: Number(left),
        y: Number(top),
        width: Number(right) - Number(left),
        height: Number(bottom) - Number(top),
      },
    })),
  )
}

/** Returns words of the first list that the second lacks, counting repetitions. */
export function missingWords(before: readonly Word[], after: readonly Word[]): readonly Word[] {
  const left = new Map<string, number>()
  for (const { text } of after) left.set(text, (left.get(text) ?? 0) + 1)
  return before.filter(({ text }) => {
    const count = left.get(text) ?? 0
    left.set(text, count - 1)
    return count <= 0
  })
}
