// Prepares passwords for AES-256 with SASLprep (RFC 4013; ISO 32000-2, 7.6.4.3.3), so that a password works however the
// keyboard composed it. Not every program does so, so the password as typed is tried as well.

/** Non-ASCII space characters (RFC 3454, C.1.2). */
const blanks = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/gu
/** Characters mapped to nothing (RFC 3454, B.1). */
const ignored = /\u00ad|\u034f|\u1806|[\u180b-\u180d]|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]|\ufeff/gu

export const preparedPassword = (password: string): string =>
  password.replace(blanks, ' ').replace(ignored, '').normalize('NFKC')
