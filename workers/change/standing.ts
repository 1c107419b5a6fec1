// Owners of annotations, as the rows of the server record them. Ops that find annotations by themselves need them: an import
// finds annotations by names, which anybody may take.

/** What the caller is to one annotation. */
export interface Standing {
  readonly whose: 'own' | 'other' | 'nobody'
  readonly mayUpdate: boolean
}

export interface Standings {
  /** Annotations that belong to somebody, by object number. */
  readonly owned: readonly (Standing & { readonly number: number })[]
  /** What the caller is to all others. */
  readonly unowned: Standing
}

const own: Standing = { whose: 'own', mayUpdate: true }

/** Looks up standings. What the change itself creates is the caller's. */
export class KnownStandings {
  readonly #owned: ReadonlyMap<number, Standing>
  readonly #unowned: Standing
  /** Annotations of the file that became objects of their own. */
  readonly #promoted = new Set<number>()

  /** `standings`: undefined if the caller may update everything, and nobody owns anything. */
  constructor(
    standings: Standings | undefined,
    private readonly isNew: (number: number) => boolean,
  ) {
    this.#owned = new Map(standings?.owned.map((one) => [one.number, one]))
    this.#unowned = standings?.unowned ?? { whose: 'nobody', mayUpdate: true }
  }

  promote(annotation: number): void {
    this.#promoted.add(annotation)
  }

  of(annotation: number): Standing {
    const isCreated = this.isNew(annotation) && !this.#promoted.has(annotation)
    return isCreated ? own : (this.#owned.get(annotation) ?? this.#unowned)
  }
}
