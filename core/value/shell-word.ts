// Words of commands that messages print, so that they can be pasted into a shell.

/** Quotes an argument for POSIX shells, if it needs that. */
export function asWord(text: string): string {
  return /^[\w./~@:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
