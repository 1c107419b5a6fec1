// Who comes by a share: a secret of this browser, by which the server knows the visitor again, and the name that they gave.
import { randomId } from '../shared/random-id.js'

const key = 'guest'

interface Known {
  readonly visitor: string
  readonly displayName?: string
}

export class Guest {
  #known: Known
  #wasAsked: boolean

  /** `storage`: throws where the browser stores nothing. */
  constructor(private readonly storage: () => Pick<Storage, 'getItem' | 'setItem'>) {
    this.#known = this.#stored() ?? { visitor: randomId() }
    this.#wasAsked = this.#known.displayName !== undefined
    this.#store()
  }

  /** Members of the exchange of a share. */
  get members(): Known {
    return this.#known
  }

  /** True until a name was given, or refused in this window. */
  get isUnknown(): boolean {
    return !this.#wasAsked
  }

  /** Takes the name that a session has, which may be that of the share. */
  isNow(name: string | undefined): void {
    if (name !== undefined) this.#wasAsked = true
  }

  /** `name`: undefined if the visitor gives none. */
  introduce(name: string | undefined): void {
    this.#wasAsked = true
    if (name === undefined) return
    this.#known = { ...this.#known, displayName: name }
    this.#store()
  }

  #stored(): Known | undefined {
    try {
      return JSON.parse(this.storage().getItem(key) ?? '') as Known
    } catch {
      return undefined
    }
  }

  /** In a browser that stores nothing each visit is that of somebody else. */
  #store(): void {
    try {
      this.storage().setItem(key, JSON.stringify(this.#known))
    } catch {
      return
    }
  }
}
