// Words of pages as poppler reads them, with their places.

export interface Word {
  readonly text: string
  /** Points from the top left corner of the page as it is seen, turned. */
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
}

const page = /<page width="[^"]*" height="[^"]*">([\s\S]*?)<\/page>/g
const word = /<word xMin="([^"]*)" yMin="([^"]*)" xMax="([^"]*)" yMax="([^"]*)">([\s\S]*?)<\/word>/g
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Of the output of `pdftotext -bbox`, page by page. */
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

/** Of the first list, those that the second lacks, repetitions counted. */
export function missingWords(before: readonly Word[], after: readonly Word[]): readonly Word[] {
  const left = new Map<string, number>()
  for (const { text } of after) left.set(text, (left.get(text) ?? 0) + 1)
  return before.filter(({ text }) => {
    const count = left.get(text) ?? 0
    left.set(text, count - 1)
    return count <= 0
  })
}
