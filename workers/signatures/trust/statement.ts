// What an issuer, or its responder, said about one of its certificates.

export interface Statement {
  /** It knows everything up to here. */
  readonly from: Date
  /** When the next one was due; undefined if newer ones could be had at any time. */
  readonly until: Date | undefined
  /** Since when the certificate is not to be trusted; undefined if it is not revoked. */
  readonly revokedAt: Date | undefined
}
