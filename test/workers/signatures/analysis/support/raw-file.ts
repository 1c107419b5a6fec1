// Files written byte by byte, one revision after another, so that the code under test does not write its own input.

/** Text of an object, each character one byte; null = the number is freed. */
export type RawObjects = Readonly<Record<number, string | null>>

export interface RawUpdate {
  readonly objects: RawObjects
  /** Entries of the trailer in place of the common ones. */
  readonly trailer?: string
  /** Generations other than 0. */
  readonly generations?: Readonly<Record<number, number>>
  /** Signature dictionaries with `signaturePlaceholder` are made to cover the revision. */
  readonly isSigned?: boolean
}

/** Entries of a signature dictionary that are completed when the revision is written. */
export const placeholderFor = (contents: string): string =>
  `/ByteRange[0 1111111111 2222222222 3333333333]/Contents<${contents}>`
export const signaturePlaceholder = placeholderFor('00'.repeat(64))

export const stream = (data: string, entries = ''): string =>
  `<<${entries}/Length ${data.length}>>\nstream\n${data}\nendstream`

export class RawFile {
  readonly #parts: string[] = ['%PDF-1.7\n']
  #startxref = 0
  #size = 1
  #length = 9

  constructor(
    objects: RawObjects,
    readonly trailer = '/Root 1 0 R/ID[<00112233445566778899aabbccddeeff><00112233445566778899aabbccddeeff>]',
  ) {
    this.#write({ objects }, true)
  }

  get bytes(): Buffer {
    return Buffer.from(this.#parts.join(''), 'latin1')
  }

  update(update: RawUpdate): this {
    this.#write(update, false)
    return this
  }

  #write({ objects, trailer, generations = {} }: RawUpdate, isFirst: boolean): void {
    const start = this.#length
    let text = ''
    const rows: [number, string][] = isFirst ? [[0, '0000000000 65535 f \n']] : []
    for (const [key, object] of Object.entries(objects)) {
      const number = Number(key)
      this.#size = Math.max(this.#size, number + 1)
      const generation = String(generations[number] ?? 0)
      if (object === null) {
        rows.push([number, `0000000000 ${String(generations[number] ?? 1).padStart(5, '0')} f \n`])
      } else {
        rows.push([number, `${String(start + text.length).padStart(10, '0')} ${generation.padStart(5, '0')} n \n`])
        text += `${number} ${generation} obj\n${object}\nendobj\n`
      }
    }
    const xref = start + text.length
    const sections = rows.map(([number, row]) => `${number} 1\n${row}`).join('')
    const previous = isFirst ? '' : `/Prev ${this.#startxref}`
    text += `xref\n${sections === '' ? '0 0\n' : sections}trailer\n<</Size ${this.#size}${previous}${trailer ?? this.trailer}>>\nstartxref\n${xref}\n%%EOF\n`
    this.#startxref = xref
    this.#length += text.length
    this.#parts.push(covering(text, start))
  }
}

/** Fills in the range of signed bytes of the revision that ends with the text. */
function covering(text: string, start: number): string {
  const range = '1111111111 2222222222 3333333333'
  const place = text.indexOf(range)
  if (place < 0) return text
  const first = text.indexOf('/Contents<', place) + '/Contents'.length
  const second = text.indexOf('>', first) + 1
  const numbers = [start + first, start + second, text.length - second].map((number) =>
    String(number).padStart(10, '0'),
  )
  return text.replace(range, numbers.join(' '))
}
