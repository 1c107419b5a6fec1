// Certificates that the operator trusts, as chains of signatures are compared with them.

export interface TrustRoots {
  /** DER encodings. */
  readonly certificates: readonly Uint8Array[]
  /** Why there are none although the operator named some; then nothing can be trusted. */
  readonly problem?: string
}

export const noTrustRoots: TrustRoots = { certificates: [] }
