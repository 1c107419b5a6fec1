// Content as it is written: operators that stay, with the resources that they use, until it is known which of them have
// an effect.
import type { SelectedFont } from '../text/text-state.js'
import type { Category, UsedResources } from './used-resources.js'

export interface ResourceUse {
  readonly category: Category
  readonly name: string | undefined
}

export interface Piece {
  /** A function for what is known once the whole page was read. */
  readonly text: string | (() => string)
  /** True if it stays where nothing is painted: marked content. */
  readonly isMark?: boolean
  readonly uses?: ResourceUse | undefined
  /** The font that the piece selects. */
  readonly font?: SelectedFont | undefined
}

export class Pieces {
  readonly #pieces: Piece[] = []
  /** Names of the patterns that are in use. */
  readonly #patterns = new Set<string>()

  get count(): number {
    return this.#pieces.length
  }

  put(piece: Piece): void {
    this.#pieces.push(piece)
  }

  usePattern(name: string): void {
    this.#patterns.add(name)
  }

  /** Keeps only marked content of what was collected since `from`: nothing was painted. */
  keepOnlyMarks(from: number): void {
    for (const piece of this.#pieces.splice(from)) if (piece.isMark) this.#pieces.push(piece)
  }

  /** Notes the resources of what is left. Returns a function that writes it. */
  end(used: UsedResources): () => string {
    const pieces = this.#pieces.filter((piece) => !this.#isIdle(piece))
    for (const { uses } of pieces) if (uses) used.use(uses.category, uses.name)
    return () => pieces.map(({ text }) => (typeof text === 'string' ? text : text())).join('\n')
  }

  /** Returns whether a piece only selects patterns or fonts that nothing draws with any more. */
  #isIdle({ uses, font }: Piece): boolean {
    if (font !== undefined) return !font.isShown
    return uses?.category === 'Pattern' && uses.name !== undefined && !this.#patterns.has(uses.name)
  }
}
