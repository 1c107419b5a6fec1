// Tokens that were made here, by which they can be revoked while the page is open. The tokens themselves are not kept.

export interface MadeToken {
  readonly jti: string
  readonly tenantId: string
  readonly sub: string
  /** Document it opens; undefined for a tenant token. */
  readonly docId: string | undefined
  /** Seconds since 1970. */
  readonly expiresAt: number
  readonly isRevoked: boolean
}

export class MadeTokens {
  #all: readonly MadeToken[] = []

  /** Newest first. */
  of(tenantId: string): readonly MadeToken[] {
    return this.#all.filter((one) => one.tenantId === tenantId)
  }

  add(token: MadeToken): void {
    this.#all = [token, ...this.#all]
  }

  markRevoked(jti: string): void {
    this.#all = this.#all.map((one) => (one.jti === jti ? { ...one, isRevoked: true } : one))
  }
}
