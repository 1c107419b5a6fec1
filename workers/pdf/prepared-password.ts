// Passwords as ISO 32000-2, 7.6.4.3.3 wants them prepared for AES-256: SASLprep (RFC 4013), so that a password opens the file
// however the keyboard composed it. Not every program does it, so that it is tried beside what was typed.

/** RFC 3454, C.1.2: blanks other than the one of ASCII. */
const blanks = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/gu
/** RFC 3454, B.1: characters that stand for nothing. */
const ignored = /\u00ad|\u034f|\u1806|[\u180b-\u180d]|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]|\ufeff/gu

export const preparedPassword = (password: string): string =>
  password.replace(blanks, ' ').replace(ignored, '').normalize('NFKC')
