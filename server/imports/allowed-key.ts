// Which keys a connection allows, decided from the name alone.

/**
 * True for a key below one of the prefixes, in whole path segments. A key with an empty segment, `.` or `..` is never
 * allowed: a storage that normalises paths would lead it out of the prefix.
 */
export function isAllowedKey(key: string, prefixes: readonly string[]): boolean {
  if (Buffer.byteLength(key) > keyBytesMax || /[\0\p{Surrogate}]/u.test(key)) return false
  const segments = key.split('/')
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) return false
  return prefixes.some((prefix) => {
    const folder = prefix.replace(/\/$/, '')
    return folder === '' || key === folder || key.startsWith(`${folder}/`)
  })
}

const keyBytesMax = 1024
