// Words of commands that messages print, so that they can be pasted into a shell.

/** Returns the text as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
