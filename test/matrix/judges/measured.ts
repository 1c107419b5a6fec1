// Readings of one PDF by external programs, each computed once and only on demand.

import { type Picture, picturesIn } from './pictures.js'
import type { Pikepdf } from './pikepdf.js'
import { run } from './programs.js'
import { type PageWords, wordsOf } from './words.js'

/** Length in pixels of a picture's longer side. */
const pixels = 220
/** Maximum number of pages whose text is read in long files. */
const textPagesMax = 30

export class Measured {
  readonly #asked = new Map<string, Promise<unknown>>()

  constructor(
    readonly path: string,
    private readonly password: string | undefined,
    private readonly pikepdf: Pikepdf,
  ) {}

  /** Status 0 = sound, 1 = with warnings, 2 = damaged; and the kinds of warnings, without numbers. */
  soundness() {
    return this.#once('soundness', async () => {
      const { status, out, complaints } = await run('qpdf', ['--check', ...this.#secret('--password='), this.path])
      const lines = `${out.toString('utf8')}\n${complaints}`.split('\n').filter((line) => /WARNING|ERROR/.test(line))
      const kinds = lines.map((line) => line.replaceAll(this.path, '').replace(/\d+/g, 'n').trim())
      return { level: status === 0 ? 0 : status === 3 ? 1 : 2, kinds: [...new Set(kinds)] }
    })
  }

  /** Returns the file rewritten by qpdf; undefined if there is nothing to repair or qpdf cannot. */
  repaired(): Promise<Measured | undefined> {
    return this.#once('repaired', async () => {
      if ((await this.soundness()).level === 0) return undefined
      const path = `${this.path}.repaired`
      const { status } = await run('qpdf', [...this.#secret('--password='), this.path, path])
      return status === 0 || status === 3 ? new Measured(path, this.password, this.pikepdf) : undefined
    })
  }

  examined() {
    return this.#once('examined', () => this.pikepdf.examine(this.path, this.password))
  }

  /** Returns words by page; undefined if poppler cannot open the file. */
  words(): Promise<readonly PageWords[] | undefined> {
    return this.#once('words', async () => {
      const args = ['-q', '-bbox', '-cropbox', '-l', String(textPagesMax), ...this.#upw(), this.path, '-']
      const { status, out } = await run('pdftotext', args)
      return status === 0 ? wordsOf(out.toString('utf8')) : undefined
    })
  }

  /** Returns undefined if poppler draws no picture. */
  poppler(page: number): Promise<Picture | undefined> {
    return this.#once(`poppler ${page}`, async () => {
      const words = await this.words()
      if (words !== undefined && page < words.length && words[page] === undefined) return undefined
      const pages = ['-f', String(page + 1), '-l', String(page + 1)]
      const args = ['-q', '-cropbox', '-scale-to', String(pixels), ...pages, ...this.#upw(), this.path]
      return picturesIn((await run('pdftoppm', args)).out)[0]
    })
  }

  mutool(page: number): Promise<Picture | undefined> {
    return this.#once(`mutool ${page}`, async () => {
      const secret = this.password === undefined ? [] : ['-p', this.password]
      const size = ['-w', String(pixels), '-h', String(pixels)]
      const args = ['draw', '-q', ...size, '-F', 'ppm', '-o', '-', ...secret, this.path, String(page + 1)]
      return picturesIn((await run('mutool', args)).out)[0]
    })
  }

  #once<Answer>(name: string, ask: () => Promise<Answer>): Promise<Answer> {
    const answer = this.#asked.get(name) ?? ask()
    this.#asked.set(name, answer)
    // Names and results are in the same order.
    return answer as Promise<Answer>
  }

  readonly #secret = (flag: string): readonly string[] =>
    this.password === undefined ? [] : [`${flag}${this.password}`]
  readonly #upw = (): readonly string[] => (this.password === undefined ? [] : ['-upw', this.password])
}
