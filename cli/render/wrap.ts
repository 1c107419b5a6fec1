// Wraps finished lines of a view for a terminal, which would cut them within words and go on below the signs.

/** Escape sequences of colours. */
const colour = /\u001b\[[\d;]*m/g
/** Blanks and the sign before the text of a line. */
const lead = /^ *(?:(?:-\/\+|[-+~!=<>?]) )? */
/** Places where a line may be broken: before a blank, between the elements of a list, between wide characters. */
const breaks = /(?= )|(?<=,)(?=["[{])|(?<=[\u3000-\u9fff\uac00-\ud7af\uff00-\uffef])/

/** Breaks lines that are wider than the terminal, and continues each below the text of its first line. */
export function wrapLines(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, width))
    .join('\n')
}

function wrapLine(line: string, width: number): string {
  const plain = line.replace(colour, '')
  if (columnsOf(plain) <= width) return line
  const indent = lead.exec(plain)?.[0].length ?? 0
  const lines: string[] = []
  let current = ''
  let columns = 0
  for (const piece of line.split(breaks)) {
    const more = columnsOf(piece.replace(colour, ''))
    if (columns + more > width && columns > indent) {
      lines.push(current)
      current = ' '.repeat(indent) + piece.trimStart()
      columns = columnsOf(current.replace(colour, ''))
    } else {
      current += piece
      columns += more
    }
  }
  return [...lines, current].join('\n')
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]/gu

function columnsOf(plain: string): number {
  return [...plain].length + (plain.match(wide)?.length ?? 0)
}
