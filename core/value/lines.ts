// Ends of lines. Checkouts on Windows end lines in CRLF, elsewhere in LF; both are the same text.

/** Returns the text with every line ended by LF. */
export function withPlainLines(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** Returns the text with lines that end like those of another text: in CRLF if all of those do. */
export function withLinesOf(other: string, text: string): string {
  const plain = withPlainLines(text)
  return /\r\n/.test(other) && !/(?<!\r)\n/.test(other) ? plain.replaceAll('\n', '\r\n') : plain
}

/** True for texts that differ at most in how their lines end. */
export function isSameText(one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return false
  return one === other || (`${one}${other}`.includes('\r\n') && withPlainLines(one) === withPlainLines(other))
}
