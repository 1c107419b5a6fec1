/** Returns the path of the compiled code of a source. */
export function compiledPath(path: string): string
