// Digest algorithms of signatures, by their names in `node:crypto`.

/** Algorithms that a signature in a file may use; `md5` and others are not supported. */
export const digestAlgorithms = [
  'sha1',
  'sha224',
  'sha256',
  'sha384',
  'sha512',
  'sha3-256',
  'sha3-384',
  'sha3-512',
  'shake256',
] as const

export type DigestAlgorithm = (typeof digestAlgorithms)[number]
