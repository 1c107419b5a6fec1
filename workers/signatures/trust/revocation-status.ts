// Revocation status of a certificate, as an OCSP response or a CRL gives it.

export interface RevocationStatus {
  /** Time at which the status was known to be correct. */
  readonly thisUpdate: Date
  /** Time by which a newer status was due; undefined if newer ones were available at any time. */
  readonly nextUpdate: Date | undefined
  /** Time from which the certificate must not be trusted; undefined if it is not revoked. */
  readonly revokedAt: Date | undefined
}
